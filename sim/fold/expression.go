package fold

import (
	"errors"
	"fmt"
	"math/bits"
	"reflect"
	"regexp"
	"sort"
	"strings"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/vm"

	"streaminglab/sim"
)

// Bounds of an expression: its size, how deep predicates may nest, and how
// much work one evaluation may be.
const (
	maxNodes = 400
	maxNest  = 2
	maxWork  = 20_000_000
	maxRange = 1000
)

// A Program is a compiled expression.
type Program struct {
	source  string
	program *vm.Program
	reads   []string
	nest    int
}

// Times reads the times of the command language: the experiment's day is
// needed for "12:00:05".
type Times interface {
	// Time reads a time in ms since the epoch.
	Time(text string) (int64, error)
	// Duration reads a duration in ms.
	Duration(text string) (int64, error)
}

// A SyntaxError is an expression that cannot be used; Column counts
// characters from 1.
type SyntaxError struct {
	Column  int
	Problem *sim.Problem
}

func (e *SyntaxError) Error() string { return fmt.Sprintf("%d: %s", e.Column, e.Problem) }
func (e *SyntaxError) Unwrap() error { return e.Problem }

// disabled are builtins that read a clock or a zone, draw, or have a meaning
// of their own here.
var disabled = []string{"now", "date", "timezone", "duration", "toJSON", "fromJSON", "toBase64", "fromBase64", "float", "round", "ceil", "floor", "mean", "median"}

// Compile checks an expression and prepares it. times may be nil; then times
// in text form are refused.
func Compile(source string, times Times) (*Program, error) {
	c := &checker{}
	// The optimizer of expr-lang v1.17.8 fails on filter(…)[0].field.
	opts := []expr.Option{expr.Env(environment(&Folds{}, times)), expr.MaxNodes(maxNodes), expr.Optimize(false)}
	for _, d := range disabled {
		opts = append(opts, expr.DisableBuiltin(d))
	}
	opts = append(opts, expr.Patch(c))
	p, err := expr.Compile(source, opts...)
	if c.problem != nil {
		return nil, c.problem
	}
	if err != nil {
		return nil, syntaxError(source, err)
	}
	c.finish()
	return &Program{source: source, program: p, reads: c.reads, nest: c.nest}, nil
}

// What the compiler of expr says most often, which the catalogues say in the
// learner's language.
var (
	unknownName = regexp.MustCompile(`^unknown name (\w+)`)
	unknownPart = regexp.MustCompile(`has no (?:field|method) (\w+)`)
	unexpected  = regexp.MustCompile(`^unexpected token (\w+)(?:\("(.*)"\))?`)
	word        = regexp.MustCompile(`^\w+`)
)

// typed are messages of its type checker: how each begins, and what says it
// here. called is the word that stands at the place of the error.
var typed = []struct {
	form *regexp.Regexp
	say  func(called string, m []string) *sim.Problem
}{
	{regexp.MustCompile(`^\S+ is not callable`), func(called string, _ []string) *sim.Problem {
		return sim.NewProblem("expression.not-callable", "Name", called)
	}},
	{regexp.MustCompile(`^array elements can only be selected using an integer`), func(string, []string) *sim.Problem {
		return sim.NewProblem("expression.list-part")
	}},
	{regexp.MustCompile(`^(?:predicate should return boolean \(got|non-bool expression \(type) ([^)]+)\)`), func(_ string, m []string) *sim.Problem {
		return sim.NewProblem("expression.predicate", "Type", typeID(m[1]))
	}},
	{regexp.MustCompile(`^builtin (\w+) takes only array \(got (.+)\)`), func(_ string, m []string) *sim.Problem {
		return sim.NewProblem("expression.takes-list", "Name", m[1], "Type", typeID(m[2]))
	}},
	{regexp.MustCompile(`^cannot use (.+) as argument \(type .+\) to call (\w+)`), func(_ string, m []string) *sim.Problem {
		return sim.NewProblem("expression.argument", "Name", m[2], "Type", typeID(m[1]))
	}},
	{regexp.MustCompile(`^invalid argument for (\w+) \(type (.+)\)`), func(_ string, m []string) *sim.Problem {
		return sim.NewProblem("expression.argument", "Name", m[1], "Type", typeID(m[2]))
	}},
	{regexp.MustCompile(`^(?:invalid number of|not enough|too many) arguments`), func(called string, _ []string) *sim.Problem {
		return sim.NewProblem("expression.arguments", "Name", called)
	}},
	{regexp.MustCompile(`^invalid operation: (\S+) \(mismatched types (.+) and (.+)\)`), func(_ string, m []string) *sim.Problem {
		return sim.NewProblem("expression.operator", "Operator", m[1], "Left", typeID(m[2]), "Right", typeID(m[3]))
	}},
	{regexp.MustCompile(`^invalid operation: (\S+) \(mismatched type (.+)\)`), func(_ string, m []string) *sim.Problem {
		return sim.NewProblem("expression.operator", "Operator", m[1], "Left", "", "Right", typeID(m[2]))
	}},
}

// typeID names a type of the checker as [TypeName] does.
func typeID(name string) string {
	switch {
	case name == "int":
		return "integer"
	case name == "string":
		return "text"
	case name == "bool", name == "nil":
		return name
	case strings.HasPrefix(name, "[]"), name == "array":
		return "list"
	}
	return "value"
}

// typeError is what the type checker found, or nil when it is none of those.
func typeError(source, msg string, column int) *sim.Problem {
	called := ""
	if r := []rune(source); column <= len(r) {
		called = word.FindString(string(r[column-1:]))
	}
	for _, t := range typed {
		if m := t.form.FindStringSubmatch(msg); m != nil {
			return t.say(called, m)
		}
	}
	return nil
}

func syntaxError(source string, err error) error {
	column, msg := 1, err.Error()
	var fe *file.Error
	if errors.As(err, &fe) {
		column, msg = fe.Column+1, fe.Message
	}
	msg, _, _ = strings.Cut(msg, "\n")
	p := sim.NewProblem("expression.syntax", "Detail", msg)
	if m := unknownName.FindStringSubmatch(msg); m != nil {
		p = sim.NewProblem("expression.unknown-name", "Name", m[1])
	} else if m := unknownPart.FindStringSubmatch(msg); m != nil {
		p = sim.NewProblem("expression.unknown-part", "Name", m[1])
	} else if m := unexpected.FindStringSubmatch(msg); m != nil && m[1] == "EOF" {
		p = sim.NewProblem("expression.ends")
	} else if m != nil {
		p = sim.NewProblem("expression.unexpected", "Token", m[2])
	} else if t := typeError(source, msg, column); t != nil {
		p = t
	}
	return &SyntaxError{Column: column, Problem: p}
}

// Source is the text of the expression.
func (p *Program) Source() string { return p.source }

// Reads are the folds and functions over the trace that the expression uses,
// sorted. An expression that reads none says nothing about a run.
func (p *Program) Reads() []string { return p.reads }

// checker refuses what the language leaves out and notes what is read.
type checker struct {
	problem *SyntaxError
	reads   []string
	seen    map[string]bool
	nest    int
}

// Visit implements ast.Visitor.
func (c *checker) Visit(n *ast.Node) {
	fail := func(id string, args ...any) {
		if c.problem == nil {
			c.problem = &SyntaxError{Column: (*n).Location().From + 1, Problem: sim.NewProblem(id, args...)}
		}
	}
	switch x := (*n).(type) {
	case *ast.BinaryNode:
		switch x.Operator {
		case "/":
			fail("expression.division")
		case "**", "^":
			fail("expression.power")
		case "..":
			// A range is walked without being counted: its size must be plain.
			from, okFrom := x.Left.(*ast.IntegerNode)
			to, okTo := x.Right.(*ast.IntegerNode)
			if !okFrom || !okTo || to.Value-from.Value > maxRange {
				fail("expression.range", "Max", maxRange)
			}
		case "+", "-", "*":
			// Sums and products of integers are checked for overflow.
			ast.Patch(n, &ast.CallNode{
				Callee:    &ast.IdentifierNode{Value: checkedNames[x.Operator]},
				Arguments: []ast.Node{x.Left, x.Right},
			})
		}
	case *ast.FloatNode:
		fail("expression.float")
	case *ast.IdentifierNode:
		c.read(x.Value)
	case *ast.CallNode:
		if id, ok := x.Callee.(*ast.IdentifierNode); ok {
			c.read(id.Value)
		}
	case *ast.PredicateNode:
		d := depth(x.Node) + 1
		c.nest = max(c.nest, d)
		if d > maxNest {
			fail("expression.nesting", "Max", maxNest)
		}
	}
}

func depth(n ast.Node) int {
	d := &depthVisitor{}
	ast.Walk(&n, d)
	return d.max
}

type depthVisitor struct{ max int }

func (d *depthVisitor) Visit(n *ast.Node) {
	if p, ok := (*n).(*ast.PredicateNode); ok {
		d.max = max(d.max, depth(p.Node)+1)
	}
}

var foldNames = func() map[string]bool {
	out := map[string]bool{}
	t := reflect.TypeFor[Folds]()
	for i := range t.NumField() {
		if name := t.Field(i).Tag.Get("expr"); name != "" {
			out[name] = true
		}
	}
	for _, f := range []string{"watermark", "idle", "held_by", "metric", "total", "restorable", "stored", "committed", "uncommitted"} {
		out[f] = true
	}
	return out
}()

func (c *checker) read(name string) {
	if !foldNames[name] || c.seen[name] {
		return
	}
	if c.seen == nil {
		c.seen = map[string]bool{}
	}
	c.seen[name] = true
	c.reads = append(c.reads, name)
}

func (c *checker) finish() { sort.Strings(c.reads) }

var checkedNames = map[string]string{"+": "checked_add", "-": "checked_sub", "*": "checked_mul"}

// failure carries an evaluation error through expr-lang, which wraps it.
type failure struct{ problem *sim.Problem }

func (f *failure) Error() string { return f.problem.Error() }

func fail(id string, args ...any) error { return &failure{sim.NewProblem(id, args...)} }

// environment is what an expression may name.
func environment(f *Folds, times Times) map[string]any {
	env := map[string]any{
		"MIN": int(sim.MinTime),
		"MAX": int(sim.MaxTime),
		"time": func(text string) (int, error) {
			if times == nil {
				return 0, fail("expression.no-times")
			}
			t, err := times.Time(text)
			if err != nil {
				return 0, fail("expression.time", "Value", text)
			}
			return int(t), nil
		},
		"duration": func(text string) (int, error) {
			if times == nil {
				return 0, fail("expression.no-times")
			}
			d, err := times.Duration(text)
			if err != nil {
				return 0, fail("expression.duration", "Value", text)
			}
			return int(d), nil
		},
		"div": func(a, b int) (int, error) {
			if b == 0 {
				return 0, fail("expression.zero")
			}
			if a == int(sim.MinTime) && b == -1 {
				return 0, fail("expression.overflow")
			}
			return a / b, nil
		},
		"watermark": func(at string) (int, error) {
			if err := f.must(at); err != nil {
				return 0, err
			}
			w, _ := f.WatermarkOf(at)
			return w, nil
		},
		"idle": func(at string) (bool, error) {
			if err := f.must(at); err != nil {
				return false, err
			}
			return f.IdleOf(at), nil
		},
		"held_by": func(at string) ([]string, error) {
			if err := f.must(at); err != nil {
				return nil, err
			}
			return f.HeldBy(at), nil
		},
		"metric": func(path string) (int, error) { return f.metric(path, f.Metric, metricsAt(path)) },
		"total":  func(path string) (int, error) { return f.metric(path, f.Total, counterNames) },
		"restorable": func(name string) (bool, error) {
			ok, known := f.Restorable(name)
			if !known {
				return false, fail("expression.unknown-snapshot", "Name", name)
			}
			return ok, nil
		},
		"stored":      func(prefix string) int { return f.Stored(prefix) },
		"committed":   func(partition string) ([]string, error) { return f.readable(partition, true) },
		"uncommitted": func(partition string) ([]string, error) { return f.readable(partition, false) },

		"checked_add": func(a, b any) (any, error) { return checked(a, b, "+") },
		"checked_sub": func(a, b any) (any, error) { return checked(a, b, "-") },
		"checked_mul": func(a, b any) (any, error) { return checked(a, b, "*") },
	}
	v := reflect.ValueOf(f).Elem()
	t := v.Type()
	for i := range t.NumField() {
		if name := t.Field(i).Tag.Get("expr"); name != "" {
			env[name] = v.Field(i).Interface()
		}
	}
	return env
}

// Names are what an expression may name besides what expr-lang has, sorted.
func Names() []string {
	var out []string
	for name := range environment(&Folds{}, nil) {
		if !strings.HasPrefix(name, "checked_") {
			out = append(out, name)
		}
	}
	sort.Strings(out)
	return out
}

// must refuses the name of a place that the trace has never shown: a typing
// error would otherwise read as zero.
func (f *Folds) must(at string) error {
	if f.places == nil || f.Known(at) {
		return nil
	}
	if name, _ := place(at); name != at && f.Known(name) {
		return nil
	}
	return fail("expression.unknown-place", "Name", at)
}

func (f *Folds) metric(path string, get func(string) (int, bool), known []string) (int, error) {
	at, _, _ := cutLast(path, ".")
	if err := f.must(at); err != nil {
		return 0, err
	}
	n, ok := get(path)
	if !ok {
		return 0, fail("expression.unknown-metric", "Name", path, "Known", strings.Join(known, ", "))
	}
	return n, nil
}

// readable are the values of a partition that a reader gets.
func (f *Folds) readable(partition string, committed bool) ([]string, error) {
	if f.kafka == nil {
		return nil, nil
	}
	values, known := f.kafka.Readable(partition, committed)
	if !known {
		return nil, fail("expression.unknown-partition", "Name", partition)
	}
	return values, nil
}

// checked adds, subtracts or multiplies; strings can be added.
func checked(a, b any, op string) (any, error) {
	x, okX := a.(int)
	y, okY := b.(int)
	if !okX || !okY {
		s, okS := a.(string)
		u, okU := b.(string)
		if op == "+" && okS && okU {
			return s + u, nil
		}
		return nil, fail("expression.operands", "Operator", op)
	}
	switch op {
	case "+":
		if s := x + y; (s > x) == (y > 0) {
			return s, nil
		}
	case "-":
		if s := x - y; (s < x) == (y > 0) {
			return s, nil
		}
	default:
		neg := (x < 0) != (y < 0)
		hi, lo := bits.Mul64(magnitude(x), magnitude(y))
		if hi == 0 && (lo <= 1<<63-1 || neg && lo == 1<<63) {
			return x * y, nil
		}
	}
	return nil, fail("expression.overflow")
}

func magnitude(v int) uint64 {
	if v < 0 {
		return uint64(-v)
	}
	return uint64(v)
}

// Eval evaluates the expression over folds.
func (p *Program) Eval(f *Folds, times Times) (any, error) {
	if err := f.judge(p.reads); err != nil {
		return nil, err
	}
	if p.work(f) > maxWork {
		return nil, sim.NewProblem("expression.work", "Max", maxWork)
	}
	machine := &vm.VM{MemoryBudget: 5_000_000}
	out, err := machine.Run(p.program, environment(f, times))
	if err == nil {
		return out, nil
	}
	var fl *failure
	if errors.As(err, &fl) {
		return nil, fl.problem
	}
	return nil, Failed(err)
}

// What the machine of expr-lang says when a value is not there.
var (
	missing = regexp.MustCompile(`^(?:cannot (?:get|fetch) (\S+) from <nil>|.*(?:<nil>|nil pointer|reflect: call of \S+ on zero Value))`)
	beyond  = regexp.MustCompile(`^index out of range: (-?\d+) \(array length is (\d+)\)`)
)

// Failed is what went wrong while an expression was evaluated: a problem of
// ours, or an error of the machine.
func Failed(err error) *sim.Problem {
	var p *sim.Problem
	if errors.As(err, &p) {
		return p
	}
	msg, _, _ := strings.Cut(err.Error(), "\n")
	msg = strings.TrimSpace(msg)
	if i := strings.LastIndex(msg, " ("); i >= 0 && position.MatchString(msg[i:]) {
		msg = msg[:i]
	}
	if m := beyond.FindStringSubmatch(msg); m != nil {
		return sim.NewProblem("expression.beyond", "Index", m[1], "Length", m[2])
	}
	if m := missing.FindStringSubmatch(msg); m != nil {
		return sim.NewProblem("expression.missing", "Name", m[1])
	}
	return sim.NewProblem("expression.failed", "Detail", msg)
}

// position is where the machine says that it was.
var position = regexp.MustCompile(`^ \(\d+:\d+\)$`)

// work bounds how often the innermost predicate can run.
func (p *Program) work(f *Folds) int {
	longest := 1
	v := reflect.ValueOf(f).Elem()
	for i := range v.NumField() {
		if x := v.Field(i); v.Type().Field(i).Tag.Get("expr") != "" && x.Kind() == reflect.Slice {
			longest = max(longest, x.Len())
		}
	}
	work := 1
	for range p.nest {
		if work > maxWork {
			break
		}
		work *= longest
	}
	return work
}

// Holds evaluates the expression as a condition.
func (p *Program) Holds(f *Folds, times Times) (bool, error) {
	v, err := p.Eval(f, times)
	if err != nil {
		return false, err
	}
	b, ok := v.(bool)
	if !ok {
		return false, sim.NewProblem("expression.not-condition", "Type", TypeName(v))
	}
	return b, nil
}

// Condition says what is wrong with p as a condition, as far as its type
// tells before it is evaluated; nil when nothing is.
func (p *Program) Condition() *sim.Problem {
	t := p.program.Node().Type()
	if t == nil || t.Kind() == reflect.Bool || t.Kind() == reflect.Interface {
		return nil
	}
	return sim.NewProblem("expression.not-condition", "Type", TypeName(reflect.Zero(t).Interface()))
}

// TypeName names the type of a value of the language.
func TypeName(v any) string {
	switch v.(type) {
	case bool:
		return "bool"
	case int:
		return "integer"
	case string:
		return "text"
	case nil:
		return "nil"
	}
	if reflect.TypeOf(v).Kind() == reflect.Slice {
		return "list"
	}
	return "value"
}
