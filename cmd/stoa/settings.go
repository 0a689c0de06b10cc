package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"time"

	"github.com/urfave/cli/v3"

	"stoa/internal/appstore"
	"stoa/internal/auth/provider"
	"stoa/internal/kit/config"
	"stoa/internal/push"
	"stoa/internal/server"
	"stoa/social/app"
	"stoa/systems/communities"
)

// Settings is all that can be chosen about a running stoa.
type Settings struct {
	Listen            string   `setting:"listen" help:"address to serve on; port 0 takes a free one"`
	Store             Storage  `setting:"store" help:"where data lives: embedded:DIR, memory:, aws or http(s)://ENDPOINT"`
	Media             string   `setting:"media" help:"where pictures and videos live: file:DIR, memory: or s3://BUCKET?region=REGION&endpoint=URL; beside embedded data when not given"`
	PlaceholderPhotos string   `setting:"placeholder-photos" help:"folder with placeholder photos, CODE/SIZE.jpg in the sizes native, 4K, 1080p, 480p and 64p; none when not given"`
	BadWords          string   `setting:"bad-words" help:"JSON file whose keys are the words for which comments and messages are removed; a short list when not given; read again each minute"`
	TablePrefix       string   `setting:"table-prefix" help:"what the names of all tables begin with"`
	Systems           []string `setting:"systems" help:"systems to serve, separated by commas, or all"`
	Region            string   `setting:"region" help:"AWS region; user ids begin with it as well"`
	PublicURL         string   `setting:"public-url" help:"address under which clients reach this server; http:// and listen when not given"`

	Operators []string `setting:"operators" help:"who operates the service: user ids or verified e-mail addresses, separated by commas"`

	Reserved []string `setting:"reserved-usernames" help:"usernames that nobody may take, separated by commas, such as admin,support"`

	Identity     IdentityMode `setting:"identity" help:"who vouches for users: dev or local (both built in), or oidc"`
	InsecureDev  bool         `setting:"insecure-dev" help:"serve dev identity to other machines: anyone may become anyone"`
	OIDCIssuer   string       `setting:"oidc-issuer" help:"address of the OpenID Connect issuer, with identity oidc"`
	OIDCAudience string       `setting:"oidc-audience" help:"client id that tokens of that issuer are made for"`
	Mailer       string       `setting:"mailer" secret:"true" help:"mail server for codes, with identity local: smtp://USER:PASSWORD@HOST:PORT"`
	MailFrom     string       `setting:"mail-from" help:"sender of mails, such as Stoa <no-reply@app.example>"`
	AppURL       string       `setting:"app-url" help:"base of links in mails"`
	AppName      string       `setting:"app-name" help:"name of the app in mails"`
	APIKeys      []string     `setting:"api-keys" secret:"true" help:"keys of the side API, separated by commas; without any, dev identity takes any key and others none"`

	AppleIssuer    string   `setting:"apple-issuer" help:"issuer of Apple's id tokens"`
	AppleClients   []string `setting:"apple-clients" help:"apps whose Apple logins are accepted, separated by commas"`
	GoogleIssuer   string   `setting:"google-issuer" help:"issuer of Google's id tokens"`
	GoogleClients  []string `setting:"google-clients" help:"client ids whose Google logins are accepted, separated by commas"`
	FacebookGraph  string   `setting:"facebook-graph" help:"address of Facebook's Graph API with its version"`
	FacebookApp    string   `setting:"facebook-app" help:"id of the app whose Facebook logins are accepted"`
	FacebookSecret string   `setting:"facebook-secret" secret:"true" help:"secret of that app"`

	AppStoreURL        string `setting:"app-store-url" help:"where receipts of the App Store are verified first"`
	AppStoreSandboxURL string `setting:"app-store-sandbox-url" help:"where receipts of the App Store's sandbox are verified"`
	AppStoreSecret     string `setting:"app-store-secret" secret:"true" help:"shared secret that is sent with each receipt"`
	AppStoreBundle     string `setting:"app-store-bundle" help:"bundle id that a receipt must show"`

	Kilometers           bool   `setting:"kilometers" help:"read how far away users look for others as kilometers rather than miles"`
	ImageVerification    string `setting:"image-verification" help:"address of a service that judges whether images show what their camera took; images are judged by what is said about them when not given"`
	ImageVerificationKey string `setting:"image-verification-key" secret:"true" help:"what that service knows this one by"`

	Push           []string `setting:"push" help:"what sends push notifications: log, or apns and fcm separated by commas; nothing when empty"`
	PushTo         []string `setting:"push-to" help:"usernames of those who get push notifications, separated by commas; * is everybody, nothing is nobody"`
	APNSAddress    string   `setting:"apns-url" help:"address of Apple's push notification service"`
	APNSKey        string   `setting:"apns-key" help:"file with the signing key for it, as Apple hands it out (.p8)"`
	APNSKeyID      string   `setting:"apns-key-id" help:"id of that key"`
	APNSTeam       string   `setting:"apns-team" help:"id of the team that the key is of"`
	APNSTopic      string   `setting:"apns-topic" help:"bundle id of the app that Apple notifies"`
	FCMAddress     string   `setting:"fcm-url" help:"address of Firebase Cloud Messaging"`
	FCMCredentials string   `setting:"fcm-credentials" help:"file with the credentials of a service account for it, in JSON"`

	Bus           BusAddress    `setting:"bus" help:"what carries events between processes: memory for one, or nats://HOST:PORT"`
	EventDelay    time.Duration `setting:"event-delay" help:"wait between a mutation's answer and the events it causes"`
	Playground    bool          `setting:"playground" help:"serve GraphiQL at /; on in dev identity"`
	Introspection bool          `setting:"introspection" help:"let clients read the schema; on in dev identity"`
	Metrics       bool          `setting:"metrics" help:"serve metrics at /metrics; on in dev identity"`
	Proxies       []string      `setting:"trusted-proxies" help:"addresses or networks of proxies whose X-Forwarded-For is believed, separated by commas"`
	CORSOrigins   []string      `setting:"cors-origins" help:"web origins that may call, separated by commas, such as https://app.example"`
	MaxComplexity int           `setting:"max-complexity" help:"costliest operation that is run, in fields"`
	MaxDepth      int           `setting:"max-depth" help:"deepest operation that is run, in levels"`
	MaxAnswer     int           `setting:"max-answer" help:"largest answer to an operation, in bytes"`
	RateLimit     float64       `setting:"rate-limit" help:"operations a second for each user, 0 for no limit; 100 outside dev identity"`

	SignInAccount Allowance `setting:"sign-in-account-limit" help:"wrong passwords for an account from one address; 10+1/20s outside dev identity"`
	SignInAddress Allowance `setting:"sign-in-address-limit" help:"sign-ins from one address; 60+1/1s outside dev identity"`
	SignUpAccount Allowance `setting:"sign-up-account-limit" help:"sign-ups of one user id or contact; 5+1/1m0s outside dev identity"`
	SignUpAddress Allowance `setting:"sign-up-address-limit" help:"sign-ups and anonymous identities from one address; 30+1/10s outside dev identity"`
	CodeAccount   Allowance `setting:"code-account-limit" help:"codes asked for by one account; 5+1/1m0s outside dev identity"`
	CodeAddress   Allowance `setting:"code-address-limit" help:"codes asked for from one address; 30+1/10s outside dev identity"`
	ChatCapacity  int       `setting:"chat-capacity" help:"how many members a group chat of communities has at most, 2 to 100"`
}

// defaultSettings are the values of a stoa that nobody configured. Those that
// depend on others are settled by complete.
func defaultSettings() Settings {
	return Settings{
		Listen:      "127.0.0.1:8080",
		Store:       Storage{Dir: "./data"},
		Media:       "file:./data/media",
		TablePrefix: "stoa-",
		Systems:     []string{app.Name},
		Region:      "us-east-1",
		Identity:    devIdentity,
		AppURL:      "https://real.app",
		AppName:     "REAL",
		Push:        []string{logPush}, PushTo: []string{everybody}, APNSAddress: push.APNSAddress, APNSTopic: "app.real.mobile", FCMAddress: push.FCMAddress,
		AppStoreURL: appstore.Production, AppStoreSandboxURL: appstore.Sandbox, AppStoreBundle: "app.real.mobile",
		AppleIssuer:   provider.AppleIssuer,
		AppleClients:  []string{"app.real.mobile"},
		GoogleIssuer:  provider.GoogleIssuer,
		FacebookGraph: provider.FacebookGraph,
		MaxComplexity: server.DefaultLimits.Operation.Complexity,
		MaxDepth:      server.DefaultLimits.Operation.Depth,
		MaxAnswer:     int(server.DefaultLimits.Operation.AnswerBytes),
		ChatCapacity:  communities.DefaultCapacity,
	}
}

// settingsFile is read when it exists, unless --config or STOA_CONFIG names
// another file.
const settingsFile = "stoa.yaml"

// settingFlags returns the flag of each named setting, or of all settings.
func settingFlags(names ...string) []cli.Flag {
	defaults := defaultSettings()
	flags := []cli.Flag{&cli.StringFlag{
		Name: "config", Usage: "read settings from `FILE`", DefaultText: settingsFile + " if there is one",
	}}
	for _, f := range config.New("STOA", &defaults).Fields() {
		if len(names) > 0 && !slices.Contains(names, f.Name) {
			continue
		}
		if f.Switch() {
			flags = append(flags, &cli.BoolFlag{Name: f.Name, Usage: f.Help, HideDefault: true})
			continue
		}
		flags = append(flags, &cli.StringFlag{Name: f.Name, Usage: f.Help, DefaultText: f.Text()})
	}
	return flags
}

// settings reads the settings that cmd was called with. A mistake in any of them
// is a mistake in the call, wherever it was written.
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
		name, named = m.LookupEnv("STOA_CONFIG")
	}
	if !named {
		name = settingsFile
	}
	text, err = os.ReadFile(name)
	if !named && errors.Is(err, fs.ErrNotExist) {
		return name, nil, nil
	}
	if err != nil {
		return "", nil, fmt.Errorf("settings cannot be read: %w", err)
	}
	return name, text, nil
}
