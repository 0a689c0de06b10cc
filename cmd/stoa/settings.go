package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"sync/atomic"
	"time"

	"stoa/app"
	"stoa/internal/appstore"
	"stoa/internal/auth/provider"
	"stoa/internal/desk"
	"stoa/internal/kit/cli"
	"stoa/internal/kit/config"
	"stoa/internal/push"
	"stoa/internal/server"
	"stoa/social"
	"stoa/systems/archive"
	"stoa/systems/communities"
	"stoa/systems/messaging"
)

// Settings are the settings of stoa.
type Settings struct {
	Listen            string   `setting:"listen" help:"address to listen on; port 0 picks a free one"`
	Store             Storage  `setting:"store" help:"where data is stored: embedded:DIR, memory:, aws or http(s)://ENDPOINT"`
	Media             string   `setting:"media" help:"where images and videos are stored: file:DIR, memory: or s3://BUCKET?region=REGION&endpoint=URL; defaults to the media directory inside embedded data"`
	PlaceholderPhotos string   `setting:"placeholder-photos" help:"directory of placeholder photos, CODE/SIZE.jpg in the sizes native, 4K, 1080p, 480p and 64p; no placeholders if unset"`
	BadWords          string   `setting:"bad-words" help:"JSON file whose keys are the words that get a comment or message removed; reloaded every minute; a short built-in list if unset"`
	MemoryLimit       Bytes    `setting:"memory-limit" help:"memory use above which stoa collects garbage harder, at least 256MiB; the environment variables GOMEMLIMIT and GOGC replace it"`
	TablePrefix       string   `setting:"table-prefix" help:"prefix of all table names"`
	Systems           []string `setting:"systems" help:"comma-separated systems to serve, or all"`
	Region            string   `setting:"region" help:"AWS region; new user ids start with it"`
	PublicURL         string   `setting:"public-url" help:"URL at which clients reach this server; defaults to http:// and the listen address"`

	Operators      []string      `setting:"operators" help:"comma-separated user ids or verified e-mail addresses of the service's operators, who also moderate"`
	Moderators     []string      `setting:"moderators" help:"comma-separated user ids or verified e-mail addresses of moderators, who decide cases of reported content"`
	AuditRetention time.Duration `setting:"audit-retention" help:"how long lines of the operators' audit log are kept"`
	RulesFile      string        `setting:"rules-file" help:"JSON file with the rules of the service, an array of objects with id, title and text, served at /rules; no rules if unset"`
	CaseDeadline   time.Duration `setting:"case-deadline" help:"how long a case of reported content may be open"`
	WeighReports   bool          `setting:"weigh-reports" help:"reports by users whose reports moderators mostly reject count less towards removing content without a moderator"`

	BackupDir   string        `setting:"backup-dir" help:"where backups are stored: a directory or s3://BUCKET?region=REGION&endpoint=URL; none are taken if unset"`
	BackupEvery time.Duration `setting:"backup-every" help:"interval of scheduled backups, such as 24h; none if 0"`
	BackupKeep  int           `setting:"backup-keep" help:"number of complete backups to keep; older ones are removed"`

	Webhooks       Webhooks `setting:"webhooks" secret:"true" help:"webhooks to call, each with url, secret and events; a list in the file, JSON elsewhere"`
	WebhookPrivate bool     `setting:"webhook-private" help:"allow webhooks in private networks and on this machine"`

	CheckURL     string        `setting:"check-url" help:"URL of a service that checks posts, comments and messages of the social system, communities and messaging before other users can see them; nothing is checked if unset"`
	CheckSecret  string        `setting:"check-secret" secret:"true" help:"secret that signs requests to that service, in the form of a webhook secret; not signed if unset"`
	CheckTimeout time.Duration `setting:"check-timeout" help:"time limit for that service to answer"`
	CheckFailure string        `setting:"check-failure" help:"verdict if that service does not answer: ALLOW, HOLD or REMOVE"`

	FollowedByAll string `setting:"followed-by-all" help:"username or user id of the user whom every new user follows; only moderators can take the username"`

	FanOutLimit int `setting:"fan-out-limit" help:"number of followers from which a user's posts are read with the feeds of followers instead of being copied into each; 0 always copies"`

	Reserved []string `setting:"reserved-usernames" help:"comma-separated usernames that nobody can take, such as admin,support"`

	Identity     IdentityMode `setting:"identity" help:"identity provider: dev or local (both built in), or oidc"`
	InsecureDev  bool         `setting:"insecure-dev" help:"allow other machines to use dev identity, in which anyone can sign in as anyone"`
	OIDCIssuer   string       `setting:"oidc-issuer" help:"URL of the OpenID Connect issuer, for identity oidc"`
	OIDCAudience string       `setting:"oidc-audience" help:"client id that must be the audience of that issuer's tokens"`
	Mailer       string       `setting:"mailer" secret:"true" help:"mail server that sends codes, for identity local: smtp://USER:PASSWORD@HOST:PORT, or smtps:// for TLS from the start"`
	MailFrom     string       `setting:"mail-from" help:"sender of e-mail, such as Stoa <no-reply@app.example>"`
	AppURL       string       `setting:"app-url" help:"base URL of links in e-mail and cards; required by identity local, the public URL with dev identity"`
	AppName      string       `setting:"app-name" help:"name of the app in e-mail and cards; required by identity local, stoa with dev identity"`
	APIKeys      []string     `setting:"api-keys" secret:"true" help:"comma-separated keys of the side API; if unset, dev identity accepts any key and the others none"`

	AppleIssuer    string   `setting:"apple-issuer" help:"issuer of Apple's ID tokens"`
	AppleClients   []string `setting:"apple-clients" help:"comma-separated apps whose Apple logins are accepted; none if unset"`
	GoogleIssuer   string   `setting:"google-issuer" help:"issuer of Google's ID tokens"`
	GoogleClients  []string `setting:"google-clients" help:"comma-separated client ids whose Google logins are accepted"`
	FacebookGraph  string   `setting:"facebook-graph" help:"URL of Facebook's Graph API, version included"`
	FacebookApp    string   `setting:"facebook-app" help:"id of the Facebook app whose logins are accepted"`
	FacebookSecret string   `setting:"facebook-secret" secret:"true" help:"secret of that app"`

	AppStoreURL        string `setting:"app-store-url" help:"URL that verifies App Store receipts"`
	AppStoreSandboxURL string `setting:"app-store-sandbox-url" help:"URL that verifies receipts of the App Store's sandbox"`
	AppStoreSecret     string `setting:"app-store-secret" secret:"true" help:"shared secret sent with each receipt"`
	AppStoreBundle     string `setting:"app-store-bundle" help:"bundle id that receipts must carry; if unset, no receipts are accepted"`

	Kilometers           bool   `setting:"kilometers" help:"interpret match distances as kilometers instead of miles"`
	ImageVerification    string `setting:"image-verification" help:"URL of a service that verifies whether images are unaltered camera originals; if unset, the client's description of the image decides"`
	ImageVerificationKey string `setting:"image-verification-key" secret:"true" help:"API key for that service"`

	Push           []string `setting:"push" help:"comma-separated push senders: log, apns, fcm; empty sends nothing"`
	PushTo         []string `setting:"push-to" help:"comma-separated usernames that receive push notifications; * means everyone, empty no one"`
	APNSAddress    string   `setting:"apns-url" help:"URL of the Apple Push Notification service"`
	APNSKey        string   `setting:"apns-key" help:"file with the signing key from Apple (.p8)"`
	APNSKeyID      string   `setting:"apns-key-id" help:"id of that key"`
	APNSTeam       string   `setting:"apns-team" help:"id of the team that owns the key"`
	APNSTopic      string   `setting:"apns-topic" help:"bundle id of the app to notify, for push by apns"`
	FCMAddress     string   `setting:"fcm-url" help:"URL of Firebase Cloud Messaging"`
	FCMCredentials string   `setting:"fcm-credentials" help:"file with a service account's credentials (JSON)"`

	LogLevel               LogLevel      `setting:"log-level" help:"minimum level of log lines: debug, info, warn or error"`
	Bus                    BusAddress    `setting:"bus" help:"message bus between processes: memory for a single process, or nats://HOST:PORT"`
	EventDelay             time.Duration `setting:"event-delay" help:"delay between a mutation's answer and the events it causes"`
	Site                   string        `setting:"site" help:"directory of a built web app to serve at /, as vite builds it; its index.html answers the paths of its screens"`
	Playground             bool          `setting:"playground" help:"serve GraphiQL at /, or at /playground/ beside a site; on with dev identity"`
	Introspection          bool          `setting:"introspection" help:"allow introspection queries; on with dev identity"`
	Metrics                bool          `setting:"metrics" help:"serve metrics at /metrics; on with dev identity"`
	Proxies                []string      `setting:"trusted-proxies" help:"comma-separated addresses or networks of proxies whose X-Forwarded-For is trusted"`
	CORSOrigins            []string      `setting:"cors-origins" help:"comma-separated web origins allowed to call, such as https://app.example; dev identity also allows those of this machine"`
	MaxComplexity          int           `setting:"max-complexity" help:"maximum cost of an operation, in fields"`
	MaxAnonymousComplexity int           `setting:"max-anonymous-complexity" help:"maximum cost of an operation by a caller without an account; pages, lookups and mutations count as well"`
	MaxDepth               int           `setting:"max-depth" help:"maximum depth of an operation, in levels"`
	MaxAnswer              int           `setting:"max-answer" help:"maximum size of an answer, in bytes"`
	RateLimit              float64       `setting:"rate-limit" help:"operations per second for each user, 0 for no limit; 100 unless identity is dev"`

	SignInAccount Allowance `setting:"sign-in-account-limit" help:"wrong passwords for an account from one address; 10+1/20s unless identity is dev"`
	SignInAddress Allowance `setting:"sign-in-address-limit" help:"sign-ins from one address; 60+1/1s unless identity is dev"`
	SignUpAccount Allowance `setting:"sign-up-account-limit" help:"sign-ups for one user id or contact from one address; 5+1/1m0s unless identity is dev"`
	SignUpAddress Allowance `setting:"sign-up-address-limit" help:"sign-ups and anonymous identities from one address; 30+1/10s unless identity is dev"`
	CodeAccount   Allowance `setting:"code-account-limit" help:"codes requested for one account from one address; 5+1/1m0s unless identity is dev"`
	CodeAddress   Allowance `setting:"code-address-limit" help:"codes requested from one address; 30+1/10s unless identity is dev"`
	ChatCapacity  int       `setting:"chat-capacity" help:"maximum members of a group chat in communities, 2 to 100"`

	MessageLifeGroup time.Duration `setting:"messaging-life-group" help:"how long messages in a group topic of messaging are kept"`
	MessageLifeOwn   time.Duration `setting:"messaging-life-own" help:"how long messages in a user's own topics are kept"`
	MessageLifePair  time.Duration `setting:"messaging-life-p2p" help:"how long messages in a two-person topic are kept"`
	ArchiveLevel     string        `setting:"archive-level" help:"level of new archive users: guest, reader, contributor, editor or admin"`
	ArchiveWorkers   []string      `setting:"archive-workers" help:"comma-separated user ids or verified e-mail addresses of external workers that report to the archive"`
	ArchiveRows      int           `setting:"archive-import-rows" help:"maximum rows of a file in importRecords; larger files are uploaded"`
	ArchiveDailyRows int           `setting:"archive-import-daily-rows" help:"maximum rows that a user imports with importRecords per day, from midnight UTC"`

	// words is the file of bad words of a server, which can change; nil if it cannot.
	words *atomic.Pointer[string]
	// clockOffset is how far the clock of the process is ahead, in tests of several.
	clockOffset time.Duration

	// systemsGiven is set unless Systems is the default.
	systemsGiven bool
}

// defaultSettings returns the defaults. Those that depend on other settings are set by
// complete.
func defaultSettings() Settings {
	return Settings{
		Listen:      "127.0.0.1:8080",
		Store:       Storage{Dir: "./data"},
		Media:       "file:./data/media",
		MemoryLimit: defaultMemoryLimit,
		TablePrefix: "stoa-",
		Systems:     []string{app.Name},
		Region:      "us-east-1",
		Identity:    devIdentity,

		AuditRetention: 2 * 365 * 24 * time.Hour,
		BackupKeep:     7,
		CaseDeadline:   24 * time.Hour,
		CheckTimeout:   2 * time.Second,
		CheckFailure:   string(desk.CheckAllow),
		Push:           []string{logPush}, PushTo: []string{everybody}, APNSAddress: push.APNSAddress, FCMAddress: push.FCMAddress,
		AppStoreURL: appstore.Production, AppStoreSandboxURL: appstore.Sandbox,
		AppleIssuer:            provider.AppleIssuer,
		GoogleIssuer:           provider.GoogleIssuer,
		FacebookGraph:          provider.FacebookGraph,
		MaxComplexity:          server.DefaultLimits.Operation.Complexity,
		MaxAnonymousComplexity: server.DefaultLimits.Operation.AnonymousComplexity,
		MaxDepth:               server.DefaultLimits.Operation.Depth,
		MaxAnswer:              int(server.DefaultLimits.Operation.AnswerBytes),
		ChatCapacity:           communities.DefaultCapacity,
		FanOutLimit:            social.DefaultFanOutLimit,

		MessageLifeGroup: messaging.DefaultLifetimes.Group, MessageLifeOwn: messaging.DefaultLifetimes.Own, MessageLifePair: messaging.DefaultLifetimes.Pair,
		ArchiveLevel: "reader", ArchiveRows: archive.DefaultImportLimits.Rows, ArchiveDailyRows: archive.DefaultImportLimits.DailyRows,
	}
}

// settingsFile is read if it exists, unless --config or STOA_CONFIG names another file. An empty
// STOA_CONFIG, as container platforms set it, names none.
const settingsFile = "stoa.yaml"

// settingFlags returns the flag of each named setting, or of all settings.
func settingFlags(names ...string) []cli.Flag {
	defaults := defaultSettings()
	flags := []cli.Flag{{
		Name: "config", Usage: "read settings from `FILE`", DefaultText: settingsFile + " if there is one",
	}}
	for _, f := range config.New("STOA", &defaults).Fields() {
		if len(names) > 0 && !slices.Contains(names, f.Name) {
			continue
		}
		flag := cli.Flag{Name: f.Name, Usage: f.Help}
		if f.Switch() {
			flag.Value = false
		} else {
			flag.DefaultText = f.Text()
		}
		flags = append(flags, flag)
	}
	return flags
}

// with returns an action that is given the settings of its command.
func (m *Main) with(action func(context.Context, *cli.Command, Settings) error) func(context.Context, *cli.Command) error {
	return func(ctx context.Context, cmd *cli.Command) error {
		s, _, err := m.settings(cmd)
		if err != nil {
			return err
		}
		return action(ctx, cmd, s)
	}
}

// settings returns the settings of cmd. An invalid setting is a usage error, whatever its
// source.
func (m *Main) settings(cmd *cli.Command) (Settings, *config.Set, error) {
	settings := defaultSettings()
	set := config.New("STOA", &settings)
	input := config.Input{LookupEnv: m.LookupEnv, Environ: m.Environ, Flags: map[string]string{}}
	for _, f := range set.Fields() {
		if cmd.IsSet(f.Name) {
			input.Flags[f.Name] = fmt.Sprint(cmd.Value(f.Name))
		}
	}
	var err error
	if input.FileName, input.File, err = m.settingsFile(cmd); err != nil {
		return Settings{}, nil, err
	}
	if err := set.Load(input); err != nil {
		return Settings{}, nil, usage("%v", err)
	}
	if err := settings.complete(set); err != nil {
		return Settings{}, nil, err
	}
	return settings, set, nil
}

func (m *Main) settingsFile(cmd *cli.Command) (name string, text []byte, err error) {
	name, named := cmd.String("config"), cmd.IsSet("config")
	if !named && m.LookupEnv != nil {
		name, _ = m.LookupEnv("STOA_CONFIG")
		named = name != ""
	}
	switch {
	case !named:
		name = settingsFile
	case name == "":
		return "", nil, usage("--config names no file: write the path of one, or leave the flag out")
	}
	text, err = os.ReadFile(name)
	if !named && errors.Is(err, fs.ErrNotExist) {
		return name, nil, nil
	}
	if err != nil {
		return "", nil, usage("settings cannot be read: %v", err)
	}
	return name, text, nil
}
