package check_test

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/cockroachdb/datadriven"

	"streaminglab/assets"
	"streaminglab/internal/check"
	"streaminglab/internal/coverage"
	"streaminglab/internal/glossary"
	"streaminglab/internal/locale"
	"streaminglab/internal/narrate"
	"streaminglab/lessons"
	"streaminglab/quiz"
	"streaminglab/sim/ledger"
)

// A check that cannot fail is a defect: each story breaks one thing in a small
// course and says what is found then, and where. Directives:
//
//	break FILE    the input is OLD => NEW; OLD stands in the file once
//	append FILE…  the input stands at the end of the file, or of each of them
//	add FILE      the input is a new file
//	remove FILE
func TestMutations(t *testing.T) {
	whole := tree(t, os.DirFS("testdata/course"))
	if found := findings(t, whole); found != "" {
		t.Fatalf("the course is not sound before anything is broken:\n%s", found)
	}
	datadriven.RunTest(t, "testdata/mutations.txt", func(t *testing.T, d *datadriven.TestData) string {
		files := maps.Clone(whole)
		name := d.CmdArgs[0].Key
		if d.Cmd != "add" && files[name] == nil {
			d.Fatalf(t, "there is no file %s", name)
		}
		switch d.Cmd {
		case "break":
			old, changed, ok := strings.Cut(d.Input, "=>")
			old, changed = unquote(strings.TrimSpace(old)), unquote(strings.TrimSpace(changed))
			text := string(files[name].Data)
			if n := strings.Count(text, old); !ok || n != 1 {
				d.Fatalf(t, "%q stands %d times in %s", old, n, name)
			}
			files[name] = &fstest.MapFile{Data: []byte(strings.Replace(text, old, changed, 1))}
		case "append":
			for _, arg := range d.CmdArgs {
				files[arg.Key] = &fstest.MapFile{Data: append(append([]byte{}, files[arg.Key].Data...), unquote(d.Input)+"\n"...)}
			}
		case "add":
			files[name] = &fstest.MapFile{Data: []byte(unquote(d.Input) + "\n")}
		case "remove":
			delete(files, name)
		default:
			d.Fatalf(t, "unknown directive %s", d.Cmd)
		}
		return findings(t, files)
	})
}

// unquote lets a story hold characters that cannot be seen, and line ends.
func unquote(s string) string {
	return strings.NewReplacer(`\n`, "\n", `\u200d`, "\u200d", `\ufe0f`, "\ufe0f", `\u202e`, "\u202e", `\x1b`, "\x1b", `{a'}`, "a\u0301", `{ga}`, "\u1100\u1161").Replace(s)
}

// The course itself is sound.
func TestTheCourseIsSound(t *testing.T) {
	whole := fstest.MapFS{}
	for dir, from := range map[string]fs.FS{"assets": assets.FS(), "lessons": lessons.Embedded(), "quiz": quiz.Embedded()} {
		for name, file := range tree(t, from) {
			whole[path.Join(dir, name)] = file
		}
	}
	if found := findings(t, whole); found != "" {
		t.Error(found)
	}
}

// tree copies a tree into memory.
func tree(t *testing.T, from fs.FS) fstest.MapFS {
	t.Helper()
	out := fstest.MapFS{}
	err := fs.WalkDir(from, ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := fs.ReadFile(from, name)
		out[name] = &fstest.MapFile{Data: text}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func findings(t *testing.T, files fs.FS) string {
	t.Helper()
	g, err := glossary.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	m, err := coverage.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	found, err := check.Run(t.Context(), check.Content{
		Files: files, Glossary: g, Coverage: m,
		Rules: func(id string) bool { _, ok := ledger.Find(id); return ok },
	})
	if err != nil {
		return "error: " + err.Error() + "\n"
	}
	var b strings.Builder
	for _, f := range found {
		fmt.Fprintf(&b, "%s:%d: %s: %s\n", f.File, f.Line, f.Rule, narrate.Problem(locale.Strict(t, locale.ES), f.Cause))
		narrate.Problem(locale.Strict(t, locale.KO), f.Cause)
	}
	return b.String()
}
