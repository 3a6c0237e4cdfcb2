package rustbridge

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sync"

	"github.com/rustbridge/rustbridge/rustbridge-go/internal/native"
)

// One library for the process: it's what the system's loader has, too.
var library struct {
	once   sync.Once
	err    error
	path   string
	lock   sync.Mutex
	image  []byte
	opened bool
}

// embedded is librustbridge for this system, in the module as it ships: a file that the packages have sets it.
var embedded []byte

// UseLibrary sets the bytes of librustbridge, for programs that embed it, for example by go:embed.
//
// Call it before the first plugin is loaded. RUSTBRIDGE_LIBRARY overrides it.
func UseLibrary(image []byte) error {
	library.lock.Lock()
	defer library.lock.Unlock()
	if library.opened {
		return errorf(FailedPrecondition, "rustbridge.Library", "librustbridge was opened already: call UseLibrary before anything else")
	}
	library.image = image
	return nil
}

// LibraryVersion returns the version of librustbridge.
func LibraryVersion() (string, error) {
	if err := open(); err != nil {
		return "", err
	}
	return native.Version(), nil
}

// open finds the library and opens it, once.
func open() error {
	library.once.Do(func() {
		library.lock.Lock()
		library.opened = true
		image := library.image
		library.lock.Unlock()
		library.err = openFirst(image)
	})
	return library.err
}

func openFirst(image []byte) error {
	chosen := os.Getenv("RUSTBRIDGE_LIBRARY")
	if image == nil {
		image = embedded
	}
	if chosen == "" && image != nil {
		return openImage(image)
	}
	candidates, err := candidates(chosen)
	if err != nil {
		return err
	}
	for _, path := range candidates {
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
			return openAt(path)
		}
	}
	if chosen != "" {
		return errorf(NotFound, "rustbridge.Library", "RUSTBRIDGE_LIBRARY is %q: expected %s, or the folder that it's in", chosen, libraryName())
	}
	return errorf(NotFound, "rustbridge.Library",
		"librustbridge not found at %s: put it next to the program, embed it (UseLibrary), or set RUSTBRIDGE_LIBRARY to its path or folder",
		candidates[0])
}

func candidates(chosen string) ([]string, error) {
	if chosen != "" {
		path, err := filepath.Abs(chosen)
		if err != nil {
			return nil, errorf(NotFound, "rustbridge.Library", "RUSTBRIDGE_LIBRARY is %q: %v", chosen, err)
		}
		return []string{path, filepath.Join(path, libraryName())}, nil
	}
	program, err := os.Executable()
	if err != nil {
		return nil, errorf(NotFound, "rustbridge.Library", "the program's folder can't be found: %v", err)
	}
	if real, err := filepath.EvalSymlinks(program); err == nil {
		program = real
	}
	return []string{filepath.Join(filepath.Dir(program), libraryName())}, nil
}

func libraryName() string {
	switch runtime.GOOS {
	case "windows":
		return "rustbridge.dll"
	case "darwin":
		return "librustbridge.dylib"
	}
	return "librustbridge.so"
}

func openAt(path string) error {
	if err := native.Open(path); err != nil {
		return errorf(FailedPrecondition, "rustbridge.Library", "%s can't be opened: %v", path, err)
	}
	library.path = path
	return nil
}

// openImage opens the library from a file of our own.
func openImage(image []byte) error {
	path, opened, err := placed(image)
	if err != nil {
		return err
	}
	defer opened()
	return openAt(path)
}

// temporarily writes the image into a new folder for temporary files, and tells what removes it once it's opened: Windows doesn't.
func temporarily(image []byte) (string, func(), error) {
	folder, err := os.MkdirTemp("", "rustbridge-")
	if err != nil {
		return "", nil, errorf(Unavailable, "rustbridge.Library", "can't create a folder for the embedded librustbridge: %v", err)
	}
	path := filepath.Join(folder, libraryName())
	if err := os.WriteFile(path, image, 0o700); err != nil {
		return "", nil, errors.Join(fmt.Errorf("rustbridge: writing the embedded librustbridge: %w", err), os.RemoveAll(folder))
	}
	return path, func() { _ = os.RemoveAll(folder) }, nil
}
