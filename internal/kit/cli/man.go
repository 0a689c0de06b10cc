package cli

import (
	"fmt"
	"strings"
)

// Man returns a page of the manual in section 8 about a program and all of its commands.
func Man(root *Command) string {
	var page strings.Builder
	fmt.Fprintf(&page, ".TH %s 8\n.SH NAME\n%s \\- %s\n", strings.ToUpper(root.Name), root.Name, roff(root.Usage))
	fmt.Fprintf(&page, ".SH SYNOPSIS\n.B %s\n.I COMMAND\n[\\fIFLAGS\\fR] [\\fIARGUMENTS\\fR]\n.SH DESCRIPTION\n", root.Name)
	prose(&page, root.Description)
	page.WriteString(".SH COMMANDS\n")
	describe(&page, root)
	return page.String()
}

func describe(page *strings.Builder, of *Command) {
	for _, c := range of.Commands {
		if c.Hidden {
			continue
		}
		c.up = of
		fmt.Fprintf(page, ".SS %s %s\n%s\n.PP\n", roff(c.FullName()), roff(c.ArgsUsage), roff(c.Usage))
		prose(page, c.Description)
		for _, f := range c.Flags {
			if f.Hidden {
				continue
			}
			before, value, found := strings.Cut(f.Usage, "`")
			value, after, _ := strings.Cut(value, "`")
			usage := before + value + after
			if !found && !f.IsSwitch() {
				value = "VALUE"
			}
			fmt.Fprintf(page, ".TP\n\\fB\\-\\-%s\\fR \\fI%s\\fR\n%s", roff(f.Name), roff(value), roff(usage))
			defaultText := f.DefaultText
			if defaultText == "" && f.Value != nil && !f.IsSwitch() {
				defaultText = fmt.Sprint(f.Value)
			}
			if defaultText != "" {
				fmt.Fprintf(page, " (default %s)", roff(defaultText))
			}
			page.WriteByte('\n')
		}
		describe(page, c)
	}
}

// prose writes paragraphs; indented lines, such as those of an example, are kept as they are.
func prose(page *strings.Builder, text string) {
	for line := range strings.SplitSeq(text, "\n") {
		switch {
		case line == "":
			page.WriteString(".PP\n")
		case strings.HasPrefix(line, "   "):
			fmt.Fprintf(page, ".nf\n%s\n.fi\n", roff(line))
		default:
			page.WriteString(roff(line) + "\n")
		}
	}
}

// roff escapes a text.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`, "\n", " ").Replace(text)
	if strings.HasPrefix(text, ".") || strings.HasPrefix(text, "'") {
		text = `\&` + text
	}
	return text
}
