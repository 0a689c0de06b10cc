package push

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"sync"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
)

// APNSAddress is the APNs endpoint for App Store apps.
const APNSAddress = "https://api.push.apple.com"

// APNSConfig is the app's configuration for APNs.
type APNSConfig struct {
	Address string
	// Key is the signing key in PEM, as issued by Apple; KeyID and TeamID identify it.
	Key           []byte
	KeyID, TeamID string
	// Topic is the bundle id of the app.
	Topic string
	// Client must support HTTP/2 and should have a timeout.
	Client *http.Client
	Now    func() time.Time
}

// tokenAge is how long an authentication token is used. Apple refuses tokens older than an
// hour, and clients that create one more often than every twenty minutes.
const tokenAge = 40 * time.Minute

type apns struct {
	APNSConfig
	signer jose.Signer

	mu     sync.Mutex
	token  string
	madeAt time.Time
}

// NewAPNS returns a Sender over Apple's push notification service.
func NewAPNS(c APNSConfig) (Sender, error) {
	signer, err := newSigner[*ecdsa.PrivateKey]("the key for Apple's push service", c.Key, "an ECDSA key", jose.ES256,
		(&jose.SignerOptions{}).WithHeader("kid", c.KeyID))
	if err != nil {
		return nil, err
	}
	return &apns{APNSConfig: c, signer: signer}, nil
}

// bearer returns the authentication token, and replaces it if it is stale.
func (s *apns) bearer(stale string) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.Now()
	if s.token != "" && s.token != stale && now.Sub(s.madeAt) < tokenAge {
		return s.token, nil
	}
	token, err := jwt.Signed(s.signer).Claims(jwt.Claims{Issuer: s.TeamID, IssuedAt: jwt.NewNumericDate(now)}).Serialize()
	if err != nil {
		return "", err
	}
	s.token, s.madeAt = token, now
	return token, nil
}

// Send shows a message on a device.
func (s *apns) Send(ctx context.Context, to Device, m Message) error {
	if to.Token == "" || len(to.Token) > maxToken {
		return fmt.Errorf("apns: a token of %d bytes: %w", len(to.Token), ErrGone)
	}
	alert := map[string]string{"title": m.Title}
	if m.Body != "" {
		alert["body"] = m.Body
	}
	payload := map[string]any{"aps": map[string]any{"alert": alert, "sound": "default"}}
	if m.Action != "" {
		payload["action"] = m.Action
	}
	for name, value := range m.Data {
		payload[name] = value
	}
	body, err := json.Marshal(payload)
	if err != nil {
		return err
	}
	token, err := s.bearer("")
	if err != nil {
		return err
	}
	reason, err := s.post(ctx, to, m, token, body)
	if reason == "ExpiredProviderToken" {
		// The local clock may be wrong, or the token may just have expired.
		if token, err = s.bearer(token); err == nil {
			_, err = s.post(ctx, to, m, token, body)
		}
	}
	return err
}

// gone are the reasons for which Apple will never deliver to a token.
var gone = map[string]bool{"BadDeviceToken": true, "DeviceTokenNotForTopic": true, "Unregistered": true, "ExpiredToken": true}

func (s *apns) post(ctx context.Context, to Device, m Message, token string, body []byte) (reason string, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, s.Address+"/3/device/"+url.PathEscape(to.Token), bytes.NewReader(body))
	if err != nil {
		return "", err
	}
	for name, value := range map[string]string{
		"Authorization":   "bearer " + token,
		"Content-Type":    "application/json",
		"Apns-Topic":      s.Topic,
		"Apns-Push-Type":  "alert",
		"Apns-Priority":   "10",
		"Apns-Expiration": strconv.FormatInt(s.Now().Add(retention).Unix(), 10),
	} {
		request.Header.Set(name, value)
	}
	// Apple refuses longer collapse ids.
	if m.Collapse != "" && len(m.Collapse) <= 64 {
		request.Header.Set("Apns-Collapse-Id", m.Collapse)
	}
	response, err := s.Client.Do(request)
	if err != nil {
		return "", withoutURL("apns", err)
	}
	defer response.Body.Close()
	if response.StatusCode == http.StatusOK {
		return "", nil
	}
	var answer struct {
		Reason string `json:"reason"`
	}
	// If there is no reason, the status must suffice.
	_ = json.NewDecoder(io.LimitReader(response.Body, maxAnswer)).Decode(&answer)
	if response.StatusCode == http.StatusGone || gone[answer.Reason] {
		return answer.Reason, fmt.Errorf("apns: %d %s: %w", response.StatusCode, answer.Reason, ErrGone)
	}
	return answer.Reason, fmt.Errorf("apns: %d %s", response.StatusCode, answer.Reason)
}

// withoutURL removes the URL from an error, because it contains a device's token.
func withoutURL(platform string, err error) error {
	if failed := (*url.Error)(nil); errors.As(err, &failed) {
		err = failed.Err
	}
	return fmt.Errorf("%s: %w", platform, err)
}
