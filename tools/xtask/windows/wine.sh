#!/usr/bin/env bash
# Starts a program under Wine. The first program starts Wine's services as well, which would go on writing, as far as who reads it can
# tell, to the pipe that it writes to, for as long as any program runs: so what is started first is one that nobody waits for.
/usr/lib/wine/wine64 cmd /c exit </dev/null >/dev/null 2>&1
exec /usr/lib/wine/wine64 "$@"
