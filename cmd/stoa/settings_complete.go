package main

import (
	"cmp"
	"fmt"
	"log/slog"
	"net"
	"net/mail"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"

	"stoa/internal/identity"
	"stoa/internal/kit/config"
	"stoa/internal/kit/viewer"
	"stoa/internal/media/blob"
	"stoa/internal/media/stock"
	"stoa/internal/server"
	"stoa/social"
	"stoa/systems/archive"
	"stoa/systems/communities"
)

var (
	// tablePrefix leaves room for the longest table name within DynamoDB's 255 characters.
	tablePrefix = regexp.MustCompile(`^[a-zA-Z0-9_.-]{0,200}$`)
	// region contains no colon, because it is followed by one in user ids.
	region = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
)

// complete sets defaults that depend on other settings, and refuses settings that are
// invalid for all commands.
func (s *Settings) complete(set *config.Set) error {
	if _, port, err := net.SplitHostPort(s.Listen); err != nil || !isPort(port) {
		return refuse(set, "listen", "%q is not an address: write HOST:PORT like 127.0.0.1:8080", s.Listen)
	}
	if !set.Field("public-url").Given() {
		s.PublicURL = "http://" + s.Listen
	}
	s.PublicURL = strings.TrimSuffix(s.PublicURL, "/")
	if u, err := url.Parse(s.PublicURL); err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		if !set.Field("public-url").Given() {
			return refuse(set, "listen", "%q is not an address: write HOST:PORT like 127.0.0.1:8080", s.Listen)
		}
		return refuse(set, "public-url", "%q is not a URL: write one like https://api.app.example", s.PublicURL)
	}
	if err := s.checkURLs(set); err != nil {
		return err
	}
	if s.Identity == devIdentity {
		s.AppURL, s.AppName = cmp.Or(s.AppURL, s.PublicURL), cmp.Or(s.AppName, devAppName)
	}
	if !tablePrefix.MatchString(s.TablePrefix) {
		return refuse(set, "table-prefix", "%q is not a table prefix: write up to 200 letters, digits, dots, underscores and dashes", s.TablePrefix)
	}
	s.systemsGiven = set.Field("systems").Given()
	if err := s.checkSystems(set.Field("systems").Source().String()); err != nil {
		return err
	}
	if !region.MatchString(s.Region) {
		return refuse(set, "region", "%q is not a region: write one like us-east-1", s.Region)
	}
	if !set.Field("media").Given() {
		switch {
		case s.Store.Memory:
			s.Media = "memory:"
		case s.Store.Dir != "":
			s.Media = "file:" + strings.TrimSuffix(s.Store.Dir, "/") + "/media"
		}
	}
	for name, limit := range map[string]int{"max-complexity": s.MaxComplexity, "max-anonymous-complexity": s.MaxAnonymousComplexity, "max-depth": s.MaxDepth,
		"max-answer": s.MaxAnswer} {
		if limit < 1 {
			return refuse(set, name, "%d refuses every operation: write at least 1", limit)
		}
	}
	const expired = "messages would expire immediately: write at least 1s"
	for _, c := range []struct {
		wrong        bool
		setting, why string
	}{
		{s.MemoryLimit < leastMemoryLimit, "memory-limit", fmt.Sprintf("%s leaves no room beside the caches: write at least %s", s.MemoryLimit, leastMemoryLimit)},
		{s.ChatCapacity < communities.MinCapacity || s.ChatCapacity > communities.MaxCapacity, "chat-capacity",
			fmt.Sprintf("%d is out of range: write %d to %d", s.ChatCapacity, communities.MinCapacity, communities.MaxCapacity)},
		{s.MessageLifeGroup < time.Second, "messaging-life-group", expired},
		{s.MessageLifeOwn < time.Second, "messaging-life-own", expired},
		{s.MessageLifePair < time.Second, "messaging-life-p2p", expired},
		{s.AuditRetention < 24*time.Hour, "audit-retention", "the audit log would be empty: write at least 24h"},
		{s.BackupEvery != 0 && s.BackupEvery < time.Minute, "backup-every", fmt.Sprintf("%v is too often: write at least 1m, or 0 for none", s.BackupEvery)},
		{s.BackupKeep < 1, "backup-keep", fmt.Sprintf("%d keeps no backup: write at least 1", s.BackupKeep)},
		{s.CaseDeadline < time.Minute, "case-deadline", "every case would be overdue: write at least 1m"},
	} {
		if c.wrong {
			return refuse(set, c.setting, "%s", c.why)
		}
	}
	if err := s.checkContentCheck(set); err != nil {
		return err
	}
	if _, ok := archive.ParseLevel(s.ArchiveLevel); !ok {
		return refuse(set, "archive-level", "there is no level %q: write guest, reader, contributor, editor or admin", s.ArchiveLevel)
	}
	for name, rows := range map[string]int{"archive-import-rows": s.ArchiveRows, "archive-import-daily-rows": s.ArchiveDailyRows} {
		if rows < 1 {
			return refuse(set, name, "%d refuses every import: write at least 1", rows)
		}
	}
	for name, users := range map[string][]string{"operators": s.Operators, "moderators": s.Moderators, "archive-workers": s.ArchiveWorkers} {
		for _, u := range users {
			if email, err := mail.ParseAddress(u); !s.knows(u) && (err != nil || email.Address != u) {
				return refuse(set, name, "%q is neither a user id nor an e-mail address", u)
			}
		}
	}
	if u := s.FollowedByAll; u != "" && !s.knows(u) && !social.ValidUsername(u) {
		return refuse(set, "followed-by-all", "%q is neither a username nor a user id", u)
	}
	for name, open := range map[string]*bool{"playground": &s.Playground, "introspection": &s.Introspection, "metrics": &s.Metrics} {
		if !set.Field(name).Given() {
			*open = s.Identity == devIdentity
		}
	}
	if s.Identity != devIdentity && !set.Field("rate-limit").Given() {
		s.RateLimit = generousRate
	}
	if s.Identity == localIdentity {
		for name, l := range s.strangers(identity.LimitsOf(identity.Local)) {
			if !set.Field(name).Given() {
				*l.setting = Allowance(*l.limit)
			}
		}
	}
	return nil
}

// refuse returns an error that names a setting and where its value is from.
func refuse(set *config.Set, name, format string, args ...any) error {
	return usage("setting %s (%s): %s", name, set.Field(name).Source(), fmt.Sprintf(format, args...))
}

// devAppName is the name of the app with dev identity, which needs no settings.
const devAppName = "stoa"

// knows reports whether text has the form of a user id.
func (s *Settings) knows(text string) bool {
	id := viewer.UserID(text)
	return id.Valid() || s.Identity == oidcIdentity && id.Possible()
}

// checkURLs returns an error for invalid URLs of pages and services, which would otherwise
// fail only when they are needed. It removes trailing slashes where paths are appended or
// issuers are compared.
func (s *Settings) checkURLs(set *config.Set) error {
	optional := map[string]bool{"app-url": true, "oidc-issuer": true, "image-verification": true}
	for name, address := range map[string]string{
		"app-url": s.AppURL, "oidc-issuer": s.OIDCIssuer, "apple-issuer": s.AppleIssuer, "google-issuer": s.GoogleIssuer, "facebook-graph": s.FacebookGraph,
		"app-store-url": s.AppStoreURL, "app-store-sandbox-url": s.AppStoreSandboxURL,
		"image-verification": s.ImageVerification, "apns-url": s.APNSAddress, "fcm-url": s.FCMAddress,
	} {
		f := set.Field(name)
		if address == "" && optional[name] {
			continue // as container platforms set what is not set
		}
		if u, err := url.Parse(address); f.Given() && (err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "") {
			return refuse(set, name, "%q is not a URL: write one like https://service.example", f.Text())
		}
	}
	for _, base := range []*string{&s.AppURL, &s.AppleIssuer, &s.GoogleIssuer, &s.FacebookGraph, &s.APNSAddress, &s.FCMAddress} {
		*base = strings.TrimSuffix(*base, "/")
	}
	return nil
}

// generousRate is above the rate of any app and below that of a script.
const generousRate = 100

// servable returns an error for settings that are invalid or unsafe for a server. Other
// commands use the same file and environment, and ignore them.
func (s *Settings) servable(set *config.Set) error {
	if err := (server.Config{EventDelay: s.EventDelay, TrustedProxies: s.Proxies, CORSOrigins: s.CORSOrigins}).CheckSettings(); err != nil {
		return usage("setting %v", err)
	}
	if _, err := s.webhooks(); err != nil {
		return err
	}
	if err := s.checkPlaces(); err != nil {
		return err
	}
	if _, err := s.pushSender(slog.New(slog.DiscardHandler)); err != nil {
		return err
	}
	switch s.Identity {
	case localIdentity:
		err := cmp.Or(needs(set, "identity local sends codes by e-mail", "mailer", "mail-from"),
			needs(set, "e-mail of identity local names the app and links to it", "app-url", "app-name"))
		if err != nil {
			return err
		}
		if _, err := identity.NewSMTP(s.Mailer, s.MailFrom); err != nil {
			return usage("setting %v", err)
		}
		return nil
	case oidcIdentity:
		return needs(set, "identity oidc needs an issuer", "oidc-issuer", "oidc-audience")
	}
	host, port, err := net.SplitHostPort(s.Listen)
	if err != nil {
		return err
	}
	if !s.InsecureDev && !loopback(host) {
		return usage(
			"dev identity lets anyone sign in as anyone, and %s can be reached from other machines: listen on 127.0.0.1:%s, choose --identity local, "+
				"or add --insecure-dev",
			s.Listen,
			port,
		)
	}
	return nil
}

// checkPlaces returns an error for directories and addresses of files that a server could not
// use. It does not go to other machines.
func (s *Settings) checkPlaces() error {
	if err := blob.CheckAddress(s.Media); err != nil {
		return usage("setting media: %v", err)
	}
	if _, _, err := s.backupAddress(); err != nil {
		return err
	}
	if err := stock.CheckPhotos(s.PlaceholderPhotos); err != nil {
		return usage("setting placeholder-photos: %v", err)
	}
	if s.Site == "" {
		return nil
	}
	site, err := openSite(s.Site)
	if err != nil {
		return usage("%v", err)
	}
	return site.Close()
}

// needs returns an error if one of the named settings is missing.
func needs(set *config.Set, because string, names ...string) error {
	for _, name := range names {
		if f := set.Field(name); f.Text() == "" {
			return usage("%s: set %s, %s or the key %s in %s", because, f.Flag(), f.Env(), f.Key(), settingsFile)
		}
	}
	return nil
}

// loopback reports whether host is only reachable from this machine. An empty host means
// all addresses of the machine.
func loopback(host string) bool {
	if host == "localhost" {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}

// isPort reports whether text is a port number; 0 means any free one.
func isPort(text string) bool {
	_, err := strconv.ParseUint(text, 10, 16)
	return err == nil
}
