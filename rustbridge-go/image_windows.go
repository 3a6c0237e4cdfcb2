package rustbridge

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
)

// placed puts the embedded library where it can be opened: into the user's cache, where a folder is named by its content, as Java does.
// Windows deletes no file that is mapped, so one in a folder of the process's own would stay behind each of them.
func placed(image []byte) (string, func(), error) {
	if cache, err := os.UserCacheDir(); err == nil && filepath.IsAbs(cache) {
		sum := sha256.Sum256(image)
		path := filepath.Join(cache, "rustbridge", hex.EncodeToString(sum[:]), libraryName())
		if cached(path, image) == nil {
			return path, func() {}, nil
		}
	}
	return temporarily(image)
}

// cached writes the file unless it's there. Nobody sees one that isn't whole: it comes by a rename.
func cached(path string, image []byte) error {
	if holds(path, image) {
		return nil
	}
	folder := filepath.Dir(path)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	fresh, err := os.CreateTemp(folder, ".rustbridge-*")
	if err != nil {
		return err
	}
	_, err = fresh.Write(image)
	if err = errors.Join(err, fresh.Close()); err == nil {
		err = os.Rename(fresh.Name(), path)
	}
	if err == nil {
		return nil
	}
	err = errors.Join(err, os.Remove(fresh.Name()))
	// A file that is mapped isn't replaced: it's what another process has just put there.
	if holds(path, image) {
		return nil
	}
	return err
}

// holds tells whether a file is there with that content. A link may point to what others change.
func holds(path string, image []byte) bool {
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() != int64(len(image)) {
		return false
	}
	there, err := os.ReadFile(path)
	return err == nil && bytes.Equal(there, image)
}
