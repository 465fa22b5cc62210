// Command shots draws pictures of the screens into docs/shots, in both
// languages: it plays keys to the pure model, lets a terminal emulator take
// what comes out, and has a browser draw each cell in its place. For those who
// work on the course; it needs Chromium, Noto Sans Mono CJK and DejaVu.
package main
