package main

import (
	"cmp"
	"flag"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	dto "github.com/prometheus/client_model/go"
)

var update = flag.Bool("update", false, "rewrite docs/metrics.md")

const metricsHead = `<!-- Generated from the registered metrics: go test ./cmd/stoa -run Fresh -update -->

# Metrics

With the setting ` + "`metrics`" + `, a server exports Prometheus metrics at ` + "`/metrics`" + `. Times are in seconds, and sizes in
bytes. Labels have few values, and clients cannot choose any of them. In addition, there are the metrics ` + "`go_…` and `process_…`" + ` of the
Go runtime and the process. A dashboard for Grafana and alert rules that use them are in [deploy](../deploy/README.md).

| Metric | Type | Labels | Meaning |
| --- | --- | --- | --- |
`

// metric is what a registry knows of a metric.
type metric struct {
	name, help string
	labels     []string
	kind       string
}

// description is how a prometheus.Desc prints itself: there are no accessors.
var description = regexp.MustCompile(`^Desc\{fqName: ("(?:[^"\\]|\\.)*"), help: ("(?:[^"\\]|\\.)*"), constLabels: \{([^}]*)\}, variableLabels: \{([^}]*)\}\}$`)

// registered returns the metrics of a server with all systems, by name.
func registered(t *testing.T) map[string]metric {
	t.Helper()
	s := defaultSettings()
	s.Systems, s.Store, s.Media, s.PublicURL = []string{everySystem}, Storage{Dir: t.TempDir()}, "memory:", "http://127.0.0.1:1"
	s.Identity, s.Mailer, s.MailFrom = localIdentity, "smtp://127.0.0.1:1", "stoa@app.example"
	registry := newRegistry()
	log := slog.New(slog.DiscardHandler)
	h, closeAll, err := assemble(t.Context(), s, nil, log, registry, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { closeAll() })
	watchDisk(registry, s.Store.Dir)
	if _, err := newServer(h.Host, s, log, registry, nil); err != nil {
		t.Fatal(err)
	}

	descriptions := make(chan *prometheus.Desc)
	go func() { registry.Describe(descriptions); close(descriptions) }()
	all := map[string]metric{}
	for d := range descriptions {
		parts := description.FindStringSubmatch(d.String())
		if parts == nil {
			t.Fatalf("a description has another form: %s", d)
		}
		m := metric{name: unquoted(t, parts[1]), help: unquoted(t, parts[2])}
		for label := range strings.SplitSeq(parts[3], ",") {
			if name, _, set := strings.Cut(label, "="); set {
				m.labels = append(m.labels, name)
			}
		}
		for label := range strings.SplitSeq(parts[4], ",") {
			if label != "" {
				m.labels = append(m.labels, label)
			}
		}
		m.kind = "gauge"
		if strings.HasSuffix(m.name, "_total") {
			m.kind = "counter"
		} else if strings.HasSuffix(m.name, "_seconds") {
			m.kind = "histogram" // unless it is gathered as something else, below
		}
		all[m.name] = m
	}
	gathered, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, family := range gathered {
		m := all[family.GetName()]
		m.kind = map[dto.MetricType]string{
			dto.MetricType_COUNTER: "counter", dto.MetricType_GAUGE: "gauge", dto.MetricType_HISTOGRAM: "histogram", dto.MetricType_SUMMARY: "summary",
		}[family.GetType()]
		all[family.GetName()] = m
	}
	return all
}

func unquoted(t *testing.T, text string) string {
	t.Helper()
	plain, err := strconv.Unquote(text)
	if err != nil {
		t.Fatal(err)
	}
	return plain
}

func TestMetricsAreFresh(t *testing.T) {
	var page strings.Builder
	page.WriteString(metricsHead)
	for _, m := range slices.SortedFunc(maps.Values(registered(t)), func(a, b metric) int { return cmp.Compare(a.name, b.name) }) {
		if !strings.HasPrefix(m.name, "stoa_") {
			continue
		}
		labels := "-"
		if len(m.labels) > 0 {
			labels = "`" + strings.Join(m.labels, "`, `") + "`"
		}
		fmt.Fprintf(&page, "| `%s` | %s | %s | %s |\n", m.name, m.kind, labels, m.help)
	}
	if *update {
		if err := os.WriteFile("../../docs/metrics.md", []byte(page.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if read(t, "docs/metrics.md") != page.String() {
		t.Error("docs/metrics.md is not what is registered: run go test ./cmd/stoa -run Fresh -update")
	}
}

// metricName finds names in expressions of PromQL. A histogram has series of its own.
var metricName = regexp.MustCompile(`\b(?:stoa|go|process)_[a-z0-9_]+`)

var seriesOf = regexp.MustCompile(`_(bucket|sum|count)$`)

// A dashboard or an alert that names a metric which does not exist would be empty or silent.
func TestDeployedQueriesNameMetrics(t *testing.T) {
	known := registered(t)
	for _, file := range []string{"deploy/grafana/stoa.json", "deploy/prometheus/alerts.yml"} {
		names := metricName.FindAllString(read(t, file), -1)
		if len(names) < 5 {
			t.Errorf("%s names %d metrics", file, len(names))
		}
		for _, name := range names {
			_, exists := known[name]
			if base := known[seriesOf.ReplaceAllString(name, "")]; !exists && base.kind != "histogram" && base.kind != "summary" {
				t.Errorf("%s names %s, which is not a metric", file, name)
			}
		}
	}
}
