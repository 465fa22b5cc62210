package sim

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"testing"
)

// Every type that is declared as a step is listed, once, under a name of its
// own: documents, narration and the folds of later chapters walk the list.
func TestEveryStepTypeIsListed(t *testing.T) {
	listed, names := map[string]bool{}, map[string]bool{}
	for _, b := range StepTypes() {
		typ := reflect.TypeOf(b).Name()
		if listed[typ] || names[b.StepType()] {
			t.Errorf("%s (%s) is listed twice", typ, b.StepType())
		}
		listed[typ], names[b.StepType()] = true, true
	}
	files, err := filepath.Glob("steps_*.go")
	if err != nil {
		t.Fatal(err)
	}
	declared := 0
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || f.Recv == nil || f.Name.Name != "StepType" {
				continue
			}
			declared++
			if typ := f.Recv.List[0].Type.(*ast.Ident).Name; !listed[typ] {
				t.Errorf("%s: %s is not listed in StepTypes", name, typ)
			}
		}
	}
	if declared != len(listed) {
		t.Errorf("%d types are declared, %d listed", declared, len(listed))
	}
}

// Every field of a step says what it is: the documents have no other source.
func TestEveryFieldOfAStepIsDocumented(t *testing.T) {
	for _, b := range StepTypes() {
		typ := reflect.TypeOf(b)
		for i := range typ.NumField() {
			if f := typ.Field(i); f.Tag.Get("json") == "" || f.Tag.Get("doc") == "" {
				t.Errorf("%s.%s has no json or doc tag", typ.Name(), f.Name)
			}
		}
	}
}
