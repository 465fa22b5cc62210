package quiz

import (
	"reflect"
	"testing"
)

// What is read when it is asked for is what is read at once, and all of the
// embedded content is sound.
func TestOpenedLibraryIsTheLoadedOne(t *testing.T) {
	all, err := Load(Embedded())
	if err != nil {
		t.Fatal(err)
	}
	lazy, err := Open(Embedded())
	if err != nil {
		t.Fatal(err)
	}
	if lazy.Item("no-such-item") != nil || lazy.Item("../sets/time-1") != nil {
		t.Error("an item that is none was found")
	}
	for _, want := range all.Items() {
		if got := lazy.Item(want.ID); !reflect.DeepEqual(got, want) {
			t.Errorf("%s is read otherwise", want.ID)
		}
	}
	if got, want := len(lazy.Items()), len(all.Items()); got != want {
		t.Errorf("%d items, not %d", got, want)
	}
}
