package eventtime

import "streaminglab/sim"

func exception(class, message string) error {
	return &sim.Exception{Class: class, Message: message}
}

// by names the rule that says when the exception is thrown.
func by(rule string, err error) error {
	if e, ok := err.(*sim.Exception); ok {
		e.Rule = rule
	}
	return err
}

func illegalArgument(message string) error {
	return exception("java.lang.IllegalArgumentException", message)
}

func illegalState(message string) error {
	return exception("java.lang.IllegalStateException", message)
}

func runtimeException(message string) error {
	return exception("java.lang.RuntimeException", message)
}
