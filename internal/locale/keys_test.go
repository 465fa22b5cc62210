package locale

import "testing"

func TestKeysOfAKoreanKeyboard(t *testing.T) {
	for text, want := range map[string]string{
		"벼ㅑㅅ": "quit", "ㅂ": "q", "ㅛ": "y", "ㅓ": "j", "ㅃ": "Q", "ㅖ": "P", "ㅣ": "l", "ㅡ": "m", "휴": "gb",
		"ㅗ디ㅔ": "help", "뭏": "ang", "값": "rkqt", "의": "dml", "왜": "dho", "goto 5": "goto 5", "": "",
	} {
		if got := Keys(text); got != want {
			t.Errorf("Keys(%q) = %q, not %q", text, got, want)
		}
	}
}
