package assets

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
	"sort"
	"strings"
)

// Every .toml file, and everything whose name does not begin with "a" or "d",
// which are this package's own Go files: a new directory of content is
// embedded without an edit here, and one that does not exist yet is no error.
//
//go:embed *.toml [^ad]*
var files embed.FS

// FS is the embedded tree.
func FS() fs.FS { return files }

// Locales is the tree of message catalogues: LANG/AREA.toml.
func Locales() fs.FS { return sub("locales") }

// Glossary is the text of glossary.toml.
func Glossary() ([]byte, error) { return files.ReadFile("glossary.toml") }

// Coverage is the text of coverage.toml.
func Coverage() ([]byte, error) { return files.ReadFile("coverage.toml") }

// Experiments lists the ids of the embedded experiments in order.
func Experiments() []string {
	entries, err := files.ReadDir("experiments")
	if err != nil {
		return nil
	}
	var ids []string
	for _, e := range entries {
		if id, ok := strings.CutSuffix(e.Name(), ".txtar"); ok && !e.IsDir() {
			ids = append(ids, id)
		}
	}
	sort.Strings(ids)
	return ids
}

// Experiment is the text of one experiment.
func Experiment(id string) ([]byte, error) {
	if id == "" || strings.ContainsAny(id, `/\`) {
		return nil, fmt.Errorf("assets: %q is not an experiment id", id)
	}
	return files.ReadFile(path.Join("experiments", id+".txtar"))
}

// sub cannot fail for a name without "..": the tree it gives is empty when
// the directory does not exist.
func sub(dir string) fs.FS {
	s, err := fs.Sub(files, dir)
	if err != nil {
		panic(err)
	}
	return s
}
