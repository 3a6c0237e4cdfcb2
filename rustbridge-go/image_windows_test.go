package rustbridge

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func place(t *testing.T, image []byte) string {
	t.Helper()
	path, opened, err := placed(image)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(opened)
	there, err := os.ReadFile(path)
	if err != nil || !bytes.Equal(there, image) {
		t.Fatal(path, len(there), err)
	}
	return path
}

// temporary is a folder for a test. It's removed file by file: Wine 8 doesn't know the way in which os.RemoveAll does it.
func temporary(t *testing.T) string {
	t.Helper()
	folder, err := os.MkdirTemp("", "rustbridge-go-test-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		var paths []string
		err := filepath.WalkDir(folder, func(path string, _ fs.DirEntry, err error) error {
			paths = append(paths, path)
			return err
		})
		for _, path := range slices.Backward(paths) {
			err = errors.Join(err, os.Remove(path))
		}
		if err != nil {
			t.Error(err)
		}
	})
	return folder
}

func TestAnEmbeddedLibraryIsWrittenOnceForAll(t *testing.T) {
	cache := temporary(t)
	t.Setenv("LOCALAPPDATA", cache)
	one, other := []byte("one library"), []byte("another one")
	path := place(t, one)
	if !strings.HasPrefix(path, filepath.Join(cache, "rustbridge")) || filepath.Base(path) != "rustbridge.dll" {
		t.Error(path)
	}
	before, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if again := place(t, one); again != path {
		t.Error(again)
	}
	if after, err := os.Stat(path); err != nil || !os.SameFile(before, after) {
		t.Error("it was written again", err)
	}
	if place(t, other) == path {
		t.Error("another library is in its place")
	}
	// What isn't what it should be isn't loaded.
	if err := os.WriteFile(path, []byte("one l1brary"), 0o700); err != nil {
		t.Fatal(err)
	}
	if again := place(t, one); again != path {
		t.Error(again)
	}
	if left, err := os.ReadDir(filepath.Dir(path)); err != nil || len(left) != 1 {
		t.Error(left, err)
	}
}

func TestAnEmbeddedLibraryNeedsNoCache(t *testing.T) {
	file := filepath.Join(temporary(t), "no folder")
	if err := os.WriteFile(file, nil, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, cache := range []string{"", "relative", file} {
		t.Setenv("LOCALAPPDATA", cache)
		if path := place(t, []byte("a library")); !strings.HasPrefix(filepath.Base(filepath.Dir(path)), "rustbridge-") {
			t.Error(cache, path)
		}
	}
}
