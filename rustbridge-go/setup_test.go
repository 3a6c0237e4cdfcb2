package rustbridge_test

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	rustbridge "github.com/rustbridge/rustbridge/rustbridge-go"
)

// folder is where plugins and librustbridge are built.
func folder() string {
	if given := os.Getenv("RUSTBRIDGE_PLUGIN_DIR"); given != "" {
		return given
	}
	_, here, _, _ := runtime.Caller(0)
	return filepath.Join(filepath.Dir(here), "..", "target", "release")
}

func TestMain(m *testing.M) {
	if os.Getenv("RUSTBRIDGE_LIBRARY") == "" {
		os.Setenv("RUSTBRIDGE_LIBRARY", folder())
	}
	os.Exit(m.Run())
}

// library is the path of a plugin's, without what the system adds to a library's name.
func library(name string) string {
	return filepath.Join(folder(), name+"_plugin")
}

// load loads a plugin for one test.
func load(t testing.TB, name string, options *rustbridge.Options) *rustbridge.Plugin {
	t.Helper()
	plugin, err := rustbridge.Load(library(name), options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := plugin.Close(); err != nil {
			t.Error(err)
		}
	})
	return plugin
}
