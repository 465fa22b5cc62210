package narrate

import "strings"

// directory is the directory of an object. path.Dir would make one slash of the
// two in s3://.
func directory(key string) string {
	i := strings.LastIndexByte(key, '/')
	if i < 0 {
		return "."
	}
	return key[:i]
}
