"""Calls hello-plugin. It finds the native library only next to the package's own files."""

import sys, rustbridge
with rustbridge.load(sys.argv[1]) as hello:
    print(f"{hello.backend}: {hello.call('greet', {'name': 'Ada'})}")
