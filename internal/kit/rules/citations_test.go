package rules

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A Citation is one place that cites one rule.
type Citation struct {
	Page, ID string
	// File is the path below the root, Func the enclosing declaration, if any.
	File, Func string
}

// Test reports whether the citation is in a test.
func (c Citation) Test() bool { return strings.HasSuffix(c.File, "_test.go") }

// The forms of ids: one rule, and, after a section, several of its rules.
const (
	section = `\d+(?:\.\d+)*`
	name    = `[A-Za-z](?:[\w-]*\w)?`
	simple  = `[A-Z]\d+|` + section + `(?:#(?:\d+|` + name + `))?`
	id      = `(?:[A-Z]\d+\b|` + section + `(?:#` + item + `(?:,` + item + `)*)?)`
	item    = `(?:\d+(?:-\d+)?|` + name + `)`
)

var (
	passages = regexp.MustCompile(`\b([a-z]+) (` + id + `(?:(?:, | and )` + id + `)*)`)
	oneID    = regexp.MustCompile(id)
	number   = regexp.MustCompile(`^\d+$`)
	words    = regexp.MustCompile(`[A-Za-z]{2,}`)
	// bare matches what looks like a citation without a page: in any file, and in tests, where
	// ids with a letter are those of rules.
	bare     = regexp.MustCompile(`§|\b` + section + `#\w+|\b[a-z]+\.md §?\d|\b(?i:invariants?|scenarios?) \d`)
	caseName = regexp.MustCompile(`^[A-Z]\d+[: ]`)
	bareTest = regexp.MustCompile(`(?:^|[^-\w])[A-Z]\d+\b|^\d+\.\d+(?:[:,.)]|$| and )|[ (]\d+\.\d+\)`)
)

// A Reader reads citations of rules of pages.
type Reader struct {
	pages map[string]map[string]bool
	// sections are the ids of each section's rules.
	sections map[string]map[string][]string
}

// NewReader returns a reader of citations of the pages.
func NewReader(pages []Page) Reader {
	r := Reader{map[string]map[string]bool{}, map[string]map[string][]string{}}
	for _, page := range pages {
		r.pages[page.Name], r.sections[page.Name] = map[string]bool{}, map[string][]string{}
		for _, rule := range page.IDs {
			r.pages[page.Name][rule] = true
			if within, _, ok := strings.Cut(rule, "#"); ok {
				r.sections[page.Name][within] = append(r.sections[page.Name][within], rule)
			}
		}
	}
	return r
}

// cited returns the rules that a text cites and the text without its citations.
func (r Reader) cited(text string) (all []Citation, rest string, problems []string) {
	rest = passages.ReplaceAllStringFunc(text, func(passage string) string {
		page, list, _ := strings.Cut(passage, " ")
		rules, ok := r.pages[page]
		if !ok {
			return passage
		}
		for _, one := range oneID.FindAllString(list, -1) {
			if number.MatchString(one) && !rules[one] && r.sections[page][one] == nil {
				return passage // an ordinary number
			}
			for _, rule := range expand(one) {
				some := r.sections[page][rule]
				if rules[rule] {
					some = []string{rule}
				}
				if some == nil {
					problems = append(problems, fmt.Sprintf("rule %s of %s does not exist", rule, page))
				}
				for _, rule := range some {
					all = append(all, Citation{Page: page, ID: rule})
				}
			}
		}
		return " "
	})
	return all, rest, problems
}

// expand returns the ids that "3.1#1-3,8" stands for.
func expand(list string) (all []string) {
	within, items, several := strings.Cut(list, "#")
	if !several {
		return []string{list}
	}
	for one := range strings.SplitSeq(items, ",") {
		first, last, _ := strings.Cut(one, "-")
		from, err1 := strconv.Atoi(first)
		to, err2 := strconv.Atoi(last)
		if err1 != nil || err2 != nil {
			all = append(all, within+"#"+one)
			continue
		}
		for n := from; n <= to; n++ {
			all = append(all, fmt.Sprintf("%s#%d", within, n))
		}
	}
	return all
}

// bare returns what looks like citations without a page.
func (r Reader) bare(text string, test bool) []string {
	found := bare.FindAllString(text, -1)
	if test {
		for _, id := range bareTest.FindAllString(text, -1) {
			id = strings.Trim(id, " (),:")
			lettered := 'A' <= id[0] && id[0] <= 'Z'
			if !lettered || r.isRule(id) && id != "S3" { // which is a store, too
				found = append(found, id)
			}
		}
	}
	return found
}

// isRule reports whether any page has a rule with that id.
func (r Reader) isRule(id string) bool {
	for _, rules := range r.pages {
		if rules[id] {
			return true
		}
	}
	return false
}

// Read returns the citations in the Go files below root, except generated ones and those of
// the skipped directories, and what is wrong with them.
func (r Reader) Read(root string, skip ...string) (all []Citation, problems []string, err error) {
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		relative, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		relative = filepath.ToSlash(relative)
		if d.IsDir() {
			if name := d.Name(); relative != "." && (name[0] == '.' || name == "node_modules" || slices.Contains(skip, relative)) {
				return filepath.SkipDir
			}
			return nil
		}
		if filepath.Ext(path) != ".go" {
			return nil
		}
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, path, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil || ast.IsGenerated(file) {
			return err
		}
		for pos, text := range texts(file, strings.HasSuffix(path, "_test.go")) {
			cited, rest, wrong := r.cited(text.text)
			for _, c := range cited {
				c.File, c.Func = relative, enclosing(file, pos)
				all = append(all, c)
			}
			if text.comment || len(cited) > 0 || caseName.MatchString(text.text) {
				for _, id := range r.bare(rest, strings.HasSuffix(path, "_test.go")) {
					wrong = append(wrong, "citation "+id+" without the name of its page")
				}
				if len(cited) > 0 && !words.MatchString(strings.ReplaceAll(rest, "and ", "")) {
					wrong = append(wrong, "nothing but a citation: say what holds")
				}
			}
			for _, w := range wrong {
				problems = append(problems, fmt.Sprintf("%s:%d: %s", relative, fset.Position(pos).Line, w))
			}
		}
		return nil
	})
	slices.Sort(problems)
	return all, problems, err
}

type text struct {
	text    string
	comment bool
}

// texts returns what can cite: comments and, in a test, strings, by their places.
func texts(file *ast.File, test bool) map[token.Pos]text {
	all := map[token.Pos]text{}
	for _, group := range file.Comments {
		all[group.Pos()] = text{strings.Join(strings.Fields(group.Text()), " "), true}
	}
	if test {
		ast.Inspect(file, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
				if value, err := strconv.Unquote(lit.Value); err == nil {
					all[lit.Pos()] = text{text: value}
				}
			}
			return true
		})
	}
	return all
}

// enclosing returns the name of the declaration that a place belongs to.
func enclosing(file *ast.File, pos token.Pos) string {
	for _, decl := range file.Decls {
		from, name := decl.Pos(), ""
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			if decl.Doc != nil {
				from = decl.Doc.Pos()
			}
			name = decl.Name.Name
		case *ast.GenDecl:
			if decl.Doc != nil {
				from = decl.Doc.Pos()
			}
			for _, spec := range decl.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					name = spec.Name.Name
				case *ast.ValueSpec:
					name = spec.Names[0].Name
				}
				if spec.End() >= pos {
					break
				}
			}
		}
		if from <= pos && pos <= decl.End() {
			return name
		}
	}
	return ""
}
