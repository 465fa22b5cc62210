package locale

import "testing"

func TestLanguageDetection(t *testing.T) {
	for _, c := range []struct {
		why, flag, saved string
		env              map[string]string
		want             Lang
		matched          bool
	}{
		{why: "nothing is known: Spanish, and the caller may ask", want: ES},
		{why: "the flag beats everything", flag: "ko", saved: "es", env: map[string]string{"LAB_LANG": "es", "LC_ALL": "es_ES"}, want: KO, matched: true},
		{why: "LAB_LANG beats the saved choice", saved: "es", env: map[string]string{"LAB_LANG": "ko"}, want: KO, matched: true},
		{why: "the saved choice beats the locale", saved: "es", env: map[string]string{"LANG": "ko_KR.UTF-8"}, want: ES, matched: true},
		{why: "LC_ALL beats LC_MESSAGES and LANG", env: map[string]string{"LC_ALL": "ko_KR.UTF-8", "LC_MESSAGES": "es_ES", "LANG": "es_ES"}, want: KO, matched: true},
		{why: "LC_MESSAGES beats LANG", env: map[string]string{"LC_MESSAGES": "ko_KR", "LANG": "es_ES.UTF-8"}, want: KO, matched: true},
		{why: "LANG", env: map[string]string{"LANG": "ko_KR.UTF-8"}, want: KO, matched: true},
		{why: "the encoding and the modifier are cut", env: map[string]string{"LANG": "es_ES.ISO-8859-15@euro"}, want: ES, matched: true},
		{why: "a modifier without an encoding", env: map[string]string{"LANG": "es_ES@euro"}, want: ES, matched: true},
		{why: "any Spanish", env: map[string]string{"LANG": "es_MX.UTF-8"}, want: ES, matched: true},
		{why: "Spanish of a region without a country", env: map[string]string{"LANG": "es_419"}, want: ES, matched: true},
		{why: "any Korean", env: map[string]string{"LANG": "ko_KP"}, want: KO, matched: true},
		{why: "Catalan is not Spanish: the default, but the caller may ask", env: map[string]string{"LANG": "ca_ES.UTF-8"}, want: ES},
		{why: "English matches nothing", env: map[string]string{"LANG": "en_US.UTF-8"}, want: ES},
		{why: "C is not a language", env: map[string]string{"LANG": "C.UTF-8"}, want: ES},
		{why: "POSIX is not a language", env: map[string]string{"LC_ALL": "POSIX"}, want: ES},
		{why: "C does not hide what stands behind it", env: map[string]string{"LC_ALL": "C.UTF-8", "LANG": "ko_KR.UTF-8"}, want: KO, matched: true},
		{why: "rubbish is passed over", env: map[string]string{"LAB_LANG": "??", "LANG": "ko"}, want: KO, matched: true},
	} {
		got, matched := Detect(c.flag, func(k string) string { return c.env[k] }, c.saved)
		if got != c.want || matched != c.matched {
			t.Errorf("%s: %s %v", c.why, got, matched)
		}
	}
}

func TestParseLangRefusesWhatItDoesNotKnow(t *testing.T) {
	for s, want := range map[string]bool{"es": true, "ko": true, "KO": true, "kr": false, "": false, "en": false, "es_ES": false} {
		if _, ok := ParseLang(s); ok != want {
			t.Errorf("%q: %v", s, ok)
		}
	}
}
