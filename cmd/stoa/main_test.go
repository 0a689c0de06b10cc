package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"

	"stoa/graph"
	"stoa/internal/identity"
)

// run runs one command in an empty directory and an empty environment and returns
// what it printed.
func run(t *testing.T, args ...string) (string, error) {
	t.Helper()
	return runIn(t, t.TempDir(), nil, args...)
}

func runIn(t *testing.T, dir string, env map[string]string, args ...string) (string, error) {
	t.Helper()
	t.Chdir(dir)
	var out, errOut bytes.Buffer
	m := Main{Stdout: &out, Stderr: &errOut, LookupEnv: func(name string) (string, bool) { v, ok := env[name]; return v, ok }}
	err := m.Run(context.Background(), args...)
	if errOut.Len() > 0 {
		t.Errorf("%q wrote to stderr: %s", args, errOut.String())
	}
	return out.String(), err
}

// Every usage error is one line that names the remedy, with exit code 2.
func TestUsage(t *testing.T) {
	file := filepath.Join(t.TempDir(), "other.yaml")
	if err := os.WriteFile(file, []byte("listn: x\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args string
		want string
	}{
		{"sevre", `there is no command "sevre": did you mean serve? see stoa --help`},
		{"sevre --store memory:", `there is no command "sevre": did you mean serve? see stoa --help`},
		{"frobnicate", `there is no command "frobnicate": see stoa --help`},
		{"help sevre", `there is no command "sevre": did you mean serve? see stoa --help`},
		{"help jobs rnu", `there is no command "rnu": did you mean run? see stoa jobs --help`},
		{"jobs rnu", `there is no command "rnu": did you mean run? see stoa jobs --help`},
		{"completion nope", `there is no command "nope": see stoa completion --help`},
		{"completion bash twice", `stoa completion bash does not take "twice": see stoa completion bash --help`},
		{"jobs list --operators foo", `there is no flag --operators: see stoa jobs list --help`},
		{"serve --operators foo", `setting operators (flag --operators): "foo" is neither a user id nor an e-mail address`},
		{"tables drop", `there is no command "drop": see stoa tables --help`},
		{"serve --listn x", "there is no flag --listn: did you mean --listen? see stoa serve --help"},
		{"person show -ab3", "there is no flag -a: see stoa person show --help; an argument that begins with a dash, like some ids, follows --"},
		{"serve --colour red", "there is no flag --colour: see stoa serve --help"},
		{"serve now", `stoa serve does not take "now": see stoa serve --help`},
		{"token", "stoa token needs USER: see stoa token --help"},
		{"schema --system all", `flag --system: there is no system "all": write one of social, pantry, communities, messaging, archive`},
		{"person suspend ana", "stoa person suspend needs --reason: see stoa person suspend --help"},
		{"person erase ana", "stoa person erase needs --reason: see stoa person erase --help"},
		{"person export --reason= ana", "stoa person export needs --reason: see stoa person export --help"},
		{"token a b", `stoa token does not take "b": see stoa token --help`},
		{"serve --listen nowhere", `setting listen (flag --listen): "nowhere" is not an address: write HOST:PORT like 127.0.0.1:8080`},
		{"serve --listen 127.0.0.1:700000", `setting listen (flag --listen): "127.0.0.1:700000" is not an address: write HOST:PORT like 127.0.0.1:8080`},
		{"serve --listen 0.0.0.0:8080", "dev identity lets anyone sign in as anyone, and 0.0.0.0:8080 can be reached from other machines: listen on 127.0.0.1:8080, " +
			"choose --identity local, or add --insecure-dev"},
		{"serve --listen :8080", "dev identity lets anyone sign in as anyone, and :8080 can be reached from other machines: listen on 127.0.0.1:8080, choose --identity local, " +
			"or add --insecure-dev"},
		{"serve --store mysql", `setting store (flag --store): "mysql" is not a store: write embedded:DIR, memory:, aws or the http(s)://ENDPOINT of a DynamoDB service`},
		{"serve --identity ldap", `setting identity (flag --identity): "ldap" is not an identity provider: write dev, local or oidc`},
		{"serve --identity local", "identity local sends codes by e-mail: set --mailer, STOA_MAILER or the key mailer in stoa.yaml"},
		{"serve --identity local --mailer smtp://localhost:25 --mail-from a@app.example", "e-mail of identity local names the app and links to it: set --app-url, " +
			"STOA_APP_URL or the key appUrl in stoa.yaml"},
		{"serve --identity local --mailer smtp://localhost:25 --mail-from a@app.example --app-url https://app.example",
			"e-mail of identity local names the app and links to it: set --app-name, STOA_APP_NAME or the key appName in stoa.yaml"},
		{"serve --moderators ana", `setting moderators (flag --moderators): "ana" is neither a user id nor an e-mail address`},
		{"serve --followed-by-all a-b", `setting followed-by-all (flag --followed-by-all): "a-b" is neither a username nor a user id`},
		{"serve --identity oidc --oidc-issuer https://a.example", "identity oidc needs an issuer: set --oidc-audience, STOA_OIDC_AUDIENCE or the key oidcAudience in stoa.yaml"},
		{"serve --public-url api.example", `setting public-url (flag --public-url): "api.example" is not a URL: write one like https://api.app.example`},
		{"serve --listen %zz:8080", `setting listen (flag --listen): "%zz:8080" is not an address: write HOST:PORT like 127.0.0.1:8080`},
		{"serve --app-store-url=", `setting app-store-url (flag --app-store-url): "" is not a URL: write one like https://service.example`},
		{"serve --identity oidc --oidc-issuer issuer.example --oidc-audience a",
			`setting oidc-issuer (flag --oidc-issuer): "issuer.example" is not a URL: write one like https://service.example`},
		{"serve --app-url app.example", `setting app-url (flag --app-url): "app.example" is not a URL: write one like https://service.example`},
		{"serve --app-store-url ftp://store.example", `setting app-store-url (flag --app-store-url): "ftp://store.example" is not a URL: write one like https://service.example`},
		{"serve --image-verification http://", `setting image-verification (flag --image-verification): "http://" is not a URL: write one like https://service.example`},
		{"serve --store https://ana:hunter2@db.example", `setting store (flag --store): "https://ana:xxxxx@db.example" is not a store: write embedded:DIR, memory:, ` +
			`aws or the http(s)://ENDPOINT of a DynamoDB service`},
		{"serve --systems social,pantries", `setting systems (flag --systems): there is no system "pantries": write one or more of social, pantry, communities, messaging, archive, ` +
			`separated by commas, or all`},
		{"serve --max-depth 0", "setting max-depth (flag --max-depth): 0 refuses every operation: write at least 1"},
		{"serve --fan-out-limit -1", `setting fan-out-limit (flag --fan-out-limit): "-1" is not a whole number from 0 up`},
		{"serve --event-delay soon", `setting event-delay (flag --event-delay): "soon" is not a duration: write one like 250ms, 30s or 2h`},
		{"serve --store memory: --event-delay 1h --listen 127.0.0.1:0", "setting event-delay must lie between 0 and 2s: apps give up on later events"},
		{"serve --store memory: --trusted-proxies proxy.example --listen 127.0.0.1:0", `setting trusted-proxies: "proxy.example" is neither an address nor a network: ` +
			`write one like 10.0.0.7 or 10.0.0.0/8`},
		{"serve --store memory: --cors-origins nowhere --listen 127.0.0.1:0", ""},
		{"config --config " + file, file + ":1: there is no setting listn: did you mean listen?"},
		{"serve --config /nowhere/stoa.yaml", "settings cannot be read: open /nowhere/stoa.yaml: no such file or directory"},
		{"serve --config=", "--config names no file: write the path of one, or leave the flag out"},
		{"serve --api-keys ,", `setting api-keys (flag --api-keys): ******** has commas and no entries: write a,b or nothing`},
		{"seed --users 0", "--users 0: use a number from 1 to 100000"},
		{"seed --users many", `invalid value "many" for flag --users: see stoa seed --help`},
		{"serve --table-prefix a/b", `setting table-prefix (flag --table-prefix): "a/b" is not a table prefix: write up to 200 letters, digits, dots, underscores and dashes`},
		{"serve --region Mars_1", `setting region (flag --region): "Mars_1" is not a region: write one like us-east-1`},
		{"dynamodb --listen :8000", "--listen: anyone who reaches :8000 could read and change everything: listen on 127.0.0.1:8000"},
		{"dynamodb --listen nowhere", `--listen: "nowhere" is not an address: write HOST:PORT like 127.0.0.1:8000`},
		{"dynamodb --store aws", `--store: "aws" is not an embedded store: write embedded:DIR or memory:`},
		{"dynamodb --create-delay 2h", "--create-delay 2h0m0s: use a duration from 0s to 1m0s"},
		{"seed --store memory:", "--store memory: ends with this command: use --store embedded:DIR"},
		{"export a b", `stoa export does not take "b": see stoa export --help`},
		{"export --resume", "--resume needs the FILE to continue: see stoa export --help"},
		{"export --store memory:", "--store memory: always starts empty: use --store embedded:DIR, aws or an endpoint"},
		{"jobs run social.push-card --store memory:", `there is no job "social.push-card": did you mean social.push-cards? see stoa jobs list`},
		{"serve --listen 127.0.0.1:0 --store memory: --media gopher://x", `setting media: "gopher://x" names no place for files: write file:DIR or s3://BUCKET?region=…&endpoint=…`},
		{"check all", `stoa check does not take "all": see stoa check --help`},
		{"check --store memory:", "--store memory: always starts empty: use --store embedded:DIR, aws or an endpoint"},
		{"import", "stoa import needs FILE: see stoa import --help"},
		{"import --store memory: file", "--store memory: ends with this command: use --store embedded:DIR, aws or an endpoint"},
	} {
		t.Run(c.args, func(t *testing.T) {
			_, err := run(t, strings.Fields(c.args)...)
			if err == nil || c.want != "" && err.Error() != c.want || strings.Contains(err.Error(), "\n") {
				t.Fatalf("got  %v\nwant %s", err, c.want)
			}
			if code := exitCode(err); code != 2 {
				t.Errorf("exit code %d, want 2", code)
			}
		})
	}
}

func TestEveryCommandExplainsItselfWithAnExample(t *testing.T) {
	var visit func(path ...string)
	visit = func(path ...string) {
		help, err := run(t, append(path, "--help")...)
		if err != nil {
			t.Errorf("%v --help: %v", path, err)
		}
		if !strings.Contains(help, "Example:\n") {
			t.Errorf("%v --help shows no example:\n%s", path, help)
		}
	}
	for _, c := range (&Main{}).root().Commands {
		visit(c.Name)
		for _, sub := range c.Commands {
			visit(c.Name, sub.Name)
		}
	}
	visit()
	help, err := run(t)
	if err != nil || !strings.Contains(help, "serve") || !strings.Contains(help, "seed") {
		t.Errorf("stoa alone: %v\n%s", err, help)
	}
}

func TestConfigTellsWhereValuesComeFrom(t *testing.T) {
	dir := t.TempDir()
	text := "tablePrefix: mine-\nmailer: smtp://user:secret@mail.example:587\nregion: eu-west-1\n"
	if err := os.WriteFile(filepath.Join(dir, "stoa.yaml"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := runIn(
		t,
		dir,
		map[string]string{"STOA_REGION": "eu-central-1", "STOA_APP_URL": "https://app.example/"},
		"config",
		"--listen",
		"localhost:9000",
		"--playground=false",
	)
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]string{}
	for line := range strings.Lines(out) {
		fields := strings.Fields(line)
		rows[fields[0]] = strings.Join(fields[1:], " ")
	}
	for setting, want := range map[string]string{
		"listen":        "localhost:9000 flag --listen",
		"region":        "eu-central-1 environment STOA_REGION",
		"app-url":       "https://app.example environment STOA_APP_URL",
		"table-prefix":  "mine- file stoa.yaml:1",
		"mailer":        "******** file stoa.yaml:2",
		"store":         "embedded:./data default",
		"playground":    "false flag --playground",
		"introspection": "true default",
		"public-url":    "http://localhost:9000 default",
	} {
		if !strings.HasPrefix(rows[setting], want+" ") {
			t.Errorf("%s is shown as %q, want %q", setting, rows[setting], want)
		}
	}
	if strings.Contains(out, "secret@") {
		t.Error("a secret is shown")
	}
}

// Settings that prevent a server from starting do not affect other commands.
func TestOnlyServersAreKeptToThisMachine(t *testing.T) {
	for _, env := range []map[string]string{{"STOA_LISTEN": "0.0.0.0:8080"}, {"STOA_IDENTITY": "local"}} {
		for _, command := range []string{"config", "tables plan --store memory:"} {
			if _, err := runIn(t, t.TempDir(), env, strings.Fields(command)...); err != nil {
				t.Errorf("stoa %s with %v: %v", command, env, err)
			}
		}
		if _, err := runIn(t, t.TempDir(), env, "serve"); err == nil || exitCode(err) != 2 {
			t.Errorf("stoa serve with %v: %v", env, err)
		}
	}
}

func TestAFileThatIsNamedMustExist(t *testing.T) {
	_, err := runIn(t, t.TempDir(), map[string]string{"STOA_CONFIG": "gone.yaml"}, "config")
	if err == nil || !strings.Contains(err.Error(), "gone.yaml") {
		t.Errorf("got %v", err)
	}
}

// Container platforms define variables that have no value.
func TestAnEmptyVariableNamesNothing(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "stoa.yaml"), []byte("region: eu-west-1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	empty := map[string]string{"STOA_CONFIG": "", "STOA_APP_URL": "", "STOA_OIDC_ISSUER": "", "STOA_IMAGE_VERIFICATION": ""}
	if out, err := runIn(t, dir, empty, "config"); err != nil || !strings.Contains(out, "file stoa.yaml:1") {
		t.Errorf("%v\n%s", err, out)
	}
}

func TestSchemaOfAuth(t *testing.T) {
	if text, err := run(t, "schema", "--auth"); err != nil || text != identity.OpenAPI {
		t.Errorf("stoa schema --auth does not print the document: %v", err)
	}
	for _, flag := range []string{"--json", "--system=pantry"} {
		if _, err := run(t, "schema", "--auth", flag); err == nil || exitCode(err) != 2 {
			t.Errorf("stoa schema --auth %s: %v", flag, err)
		}
	}
}

func TestSchema(t *testing.T) {
	sdl, err := run(t, "schema")
	if err != nil || sdl != graph.SDL() {
		t.Errorf("stoa schema does not print the contract: %v", err)
	}
	text, err := run(t, "schema", "--json")
	if err != nil {
		t.Fatal(err)
	}
	var answer struct {
		Data struct {
			Schema struct {
				QueryType  struct{ Name string }
				Types      []struct{ Name string }
				Directives []struct{ Name string }
			} `json:"__schema"`
		}
	}
	if err := json.Unmarshal([]byte(text), &answer); err != nil {
		t.Fatal(err)
	}
	if answer.Data.Schema.QueryType.Name != "Query" || len(answer.Data.Schema.Types) < 30 {
		t.Errorf("introspection tells of %+v", answer.Data.Schema)
	}
	for _, d := range answer.Data.Schema.Directives {
		if d.Name == "goField" || d.Name == "caller" || d.Name == "defer" {
			t.Errorf("introspection tells clients of @%s", d.Name)
		}
	}
}

func TestVersion(t *testing.T) {
	for _, arg := range []string{"version", "--version"} {
		out, err := run(t, arg)
		if err != nil || !strings.HasPrefix(out, "stoa ") || !strings.Contains(out, "go1.") {
			t.Errorf("%s: got %q, %v", arg, out, err)
		}
	}
	info := &debug.BuildInfo{GoVersion: "go1.26", Main: debug.Module{Version: "v1.2.3"}, Settings: []debug.BuildSetting{
		{Key: "vcs.revision", Value: "abc"}, {Key: "vcs.modified", Value: "true"},
	}}
	if got, want := versionText(info), "stoa v1.2.3, commit abc with changes, go1.26"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Kubernetes adds variables like these under the name of a service.
func TestVariablesOfOthersAreLeftAlone(t *testing.T) {
	others := []string{
		"STOA_SERVICE_HOST=a",
		"STOA_SERVICE_PORT=1",
		"STOA_SERVICE_PORT_HTTP=1",
		"STOA_PORT=tcp://a:1",
		"STOA_PORT_8080_TCP=a",
		"STOA_PORT_8080_TCP_PROTO=tcp",
		"STOA_PORT_8080_TCP_PORT=1",
		"STOA_PORT_8080_TCP_ADDR=a",
	}
	m := Main{Stdout: io.Discard, Stderr: io.Discard, Environ: func() []string { return others }}
	if err := m.Run(t.Context(), "config"); err != nil {
		t.Error(err)
	}
}
