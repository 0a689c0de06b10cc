package push

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rsa"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
)

// FCMAddress is the FCM endpoint.
const FCMAddress = "https://fcm.googleapis.com"

// FCMConfig is the app's configuration for Firebase Cloud Messaging.
type FCMConfig struct {
	Address string
	// Credentials are a service account's credentials in JSON, as issued by Google.
	Credentials []byte
	// Client should have a timeout.
	Client *http.Client
	Now    func() time.Time
}

// OAuth 2 parameters for service accounts.
const (
	grantType = "urn:ietf:params:oauth:grant-type:jwt-bearer"
	scope     = "https://www.googleapis.com/auth/firebase.messaging"
)

type fcm struct {
	FCMConfig
	project, account, tokenURI string
	signer                     jose.Signer

	mu     sync.Mutex
	token  string
	goodTo time.Time
	// failure is that of the last request for a token, and asked the number of requests that
	// have ended.
	failure error
	asked   atomic.Int64
}

// NewFCM returns a Sender over Firebase Cloud Messaging.
func NewFCM(c FCMConfig) (Sender, error) {
	var account struct {
		ProjectID  string `json:"project_id"`
		Email      string `json:"client_email"`
		PrivateKey string `json:"private_key"`
		KeyID      string `json:"private_key_id"`
		TokenURI   string `json:"token_uri"`
	}
	if err := json.Unmarshal(c.Credentials, &account); err != nil {
		return nil, fmt.Errorf("the credentials for Firebase: %w", err)
	}
	if account.ProjectID == "" || account.Email == "" || account.TokenURI == "" {
		return nil, errors.New("the credentials for Firebase lack project_id, client_email or token_uri")
	}
	signer, err := newSigner[*rsa.PrivateKey]("the private_key for Firebase", []byte(account.PrivateKey), "an RSA key", jose.RS256,
		(&jose.SignerOptions{}).WithType("JWT").WithHeader("kid", account.KeyID))
	if err != nil {
		return nil, err
	}
	return &fcm{FCMConfig: c, project: account.ProjectID, account: account.Email, tokenURI: account.TokenURI, signer: signer}, nil
}

// margin is how long before its expiry an access token is replaced.
const margin = time.Minute

// bearer returns an access token. A stale one is replaced. Who has waited for a request that failed
// does not make another: one after the other, they would take hours while Google does not respond.
func (s *fcm) bearer(ctx context.Context, stale string) (string, error) {
	asked := s.asked.Load()
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.Now()
	switch {
	case s.token != "" && s.token != stale && now.Before(s.goodTo):
		return s.token, nil
	case s.failure != nil && s.asked.Load() != asked:
		return "", s.failure
	}
	token, life, err := s.grant(context.WithoutCancel(ctx), now)
	s.failure = err
	s.asked.Add(1)
	if err == nil {
		s.token, s.goodTo = token, now.Add(life-margin)
	}
	return token, err
}

// grant requests an access token, and returns how long it is valid.
func (s *fcm) grant(ctx context.Context, now time.Time) (token string, life time.Duration, err error) {
	assertion, err := jwt.Signed(s.signer).Claims(jwt.Claims{
		Issuer: s.account, Audience: jwt.Audience{s.tokenURI},
		IssuedAt: jwt.NewNumericDate(now), Expiry: jwt.NewNumericDate(now.Add(time.Hour)),
	}).Claims(map[string]any{"scope": scope}).Serialize()
	if err != nil {
		return "", 0, err
	}
	form := url.Values{"grant_type": {grantType}, "assertion": {assertion}}
	var answer struct {
		AccessToken string `json:"access_token"`
		ExpiresIn   int    `json:"expires_in"`
	}
	status, err := s.post(ctx, s.tokenURI, "application/x-www-form-urlencoded", "", strings.NewReader(form.Encode()), &answer)
	if err != nil {
		return "", 0, err
	}
	if status != http.StatusOK || answer.AccessToken == "" {
		return "", 0, fmt.Errorf("fcm: no access token: %d", status)
	}
	return answer.AccessToken, time.Duration(answer.ExpiresIn) * time.Second, nil
}

// Send shows a message on a device.
func (s *fcm) Send(ctx context.Context, to Device, m Message) error {
	if to.Token == "" || len(to.Token) > maxToken {
		return fmt.Errorf("fcm: a token of %d bytes: %w", len(to.Token), ErrGone)
	}
	android := map[string]any{"priority": "HIGH", "ttl": fmt.Sprintf("%.0fs", retention.Seconds())}
	if m.Collapse != "" {
		android["collapse_key"] = m.Collapse
	}
	message := map[string]any{
		"token":        to.Token,
		"notification": map[string]string{"title": m.Title, "body": m.Body},
		"android":      android,
	}
	data := maps.Clone(m.Data)
	if m.Action != "" {
		if data == nil {
			data = map[string]string{}
		}
		data["action"] = m.Action
	}
	if len(data) > 0 {
		message["data"] = data
	}
	body, err := json.Marshal(map[string]any{"message": message})
	if err != nil {
		return err
	}
	token, err := s.bearer(ctx, "")
	if err != nil {
		return err
	}
	status, err := s.send(ctx, token, body)
	if status == http.StatusUnauthorized {
		if token, err = s.bearer(ctx, token); err == nil {
			_, err = s.send(ctx, token, body)
		}
	}
	return err
}

func (s *fcm) send(ctx context.Context, token string, body []byte) (status int, err error) {
	var answer struct {
		Error struct {
			Status  string `json:"status"`
			Details []struct {
				ErrorCode string `json:"errorCode"`
			} `json:"details"`
		} `json:"error"`
	}
	address := s.Address + "/v1/projects/" + url.PathEscape(s.project) + "/messages:send"
	status, err = s.post(ctx, address, "application/json", token, bytes.NewReader(body), &answer)
	if err != nil || status == http.StatusOK {
		return status, err
	}
	code := answer.Error.Status
	for _, d := range answer.Error.Details {
		code = cmp.Or(d.ErrorCode, code)
	}
	// Tokens of other projects can never be used either.
	if code == "UNREGISTERED" || code == "SENDER_ID_MISMATCH" {
		return status, fmt.Errorf("fcm: %d %s: %w", status, code, ErrGone)
	}
	return status, fmt.Errorf("fcm: %d %s", status, code)
}

// post sends a request to Google and parses the JSON response, whatever its status.
func (s *fcm) post(ctx context.Context, address, media, token string, body io.Reader, into any) (status int, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, address, body)
	if err != nil {
		return 0, err
	}
	request.Header.Set("Content-Type", media)
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	response, err := s.Client.Do(request)
	if err != nil {
		return 0, withoutURL("fcm", err)
	}
	defer response.Body.Close()
	if err := json.NewDecoder(io.LimitReader(response.Body, maxAnswer)).Decode(into); err != nil && response.StatusCode == http.StatusOK {
		return 0, fmt.Errorf("fcm: unexpected response from %s: %w", address, err)
	}
	return response.StatusCode, nil
}
