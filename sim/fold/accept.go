package fold

import "github.com/expr-lang/expr"

// Accept evaluates a condition over drawn values, which are texts; duration
// and time read them as numbers.
func Accept(source string, values map[string]string, times Times) (bool, error) {
	all := environment(&Folds{}, times)
	env := map[string]any{}
	for _, n := range []string{"time", "duration", "div", "checked_add", "checked_sub", "checked_mul", "MIN", "MAX"} {
		env[n] = all[n]
	}
	for k, v := range values {
		env[k] = v
	}
	c := &checker{}
	opts := []expr.Option{expr.Env(env), expr.MaxNodes(maxNodes), expr.AsBool(), expr.Patch(c)}
	for _, d := range disabled {
		opts = append(opts, expr.DisableBuiltin(d))
	}
	p, err := expr.Compile(source, opts...)
	if c.problem != nil {
		return false, c.problem
	}
	if err != nil {
		return false, syntaxError(source, err)
	}
	out, err := expr.Run(p, env)
	if err != nil {
		return false, Failed(err)
	}
	return out.(bool), nil
}
