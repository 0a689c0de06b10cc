package host

import (
	"context"
	"io"
	"log/slog"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"stoa/internal/appstore"
	"stoa/internal/auth/provider"
	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/trace"
	"stoa/internal/media/blob"
	"stoa/internal/media/stock"
	"stoa/internal/operator"
	"stoa/internal/outbox"
	"stoa/internal/push"
	"stoa/internal/webhook"
)

// Config configures a Host. All fields are required unless noted otherwise.
type Config struct {
	// DB has the tables that Tables lists.
	DB *keyspec.DB
	// Holder identifies this process among those that use the tables concurrently. If there
	// can be only one process, a constant lets a restart take over leases at once.
	Holder string
	// Issuer configures the built-in identity, which is not used if External is set.
	Issuer IssuerConfig
	// External is an identity provider to use instead of the built-in one.
	External External
	// Operators are the user ids and e-mail addresses of the service's operators.
	Operators []string
	// Moderators are those of its moderators, who decide cases of reported content.
	Moderators []string
	// AuditRetention is how long lines of the audit log are kept; 0 stands for two years.
	AuditRetention time.Duration
	// Webhooks receive notices; with PrivateWebhooks, they may be in private networks.
	Webhooks        []webhook.Hook
	PrivateWebhooks bool
	// Send sends a notice to a webhook; nil does it over HTTP.
	Send func(ctx context.Context, h webhook.Hook, id string, at time.Time, body []byte) error
	// Check configures the check of content before others see it.
	Check ContentCheck
	// HouseRules are the rules of the service, and CaseDeadline is how long a case may be
	// open; 0 stands for a day.
	HouseRules   operator.HouseRules
	CaseDeadline time.Duration
	// Version is that of the program, Store where data are stored; both are shown to operators.
	Version, Store string
	// Providers are the login providers.
	Providers provider.Providers
	// AppStore verifies receipts; nil if not configured.
	AppStore *appstore.Verifier
	// Push sends push notifications; nil if there are none.
	Push push.Sender
	// Media stores files; nil stores them in memory.
	Media blob.Store
	// PlaceholderPhotos are shown for users without a photo; nil means none.
	PlaceholderPhotos *stock.Photos
	// Bus delivers messages to subscribers; nil uses a bus within this process.
	Bus outbox.Bus
	// Wait is how long a mutation waits for its effects before the rest continues in the
	// background; 0 stands for 250 ms. Tests on busy machines wait longer.
	Wait time.Duration

	Now func() time.Time
	// NewID returns a new version 4 UUID in lower case.
	NewID func() string
	// Random is the source of secrets.
	Random io.Reader
	Log    *slog.Logger
	// Tracer traces the delivery of events; nil for none.
	Tracer *trace.Tracer
	// Registry receives the metrics of the outbox.
	Registry prometheus.Registerer
}
