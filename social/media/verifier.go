package media

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"stoa/social"
)

// VerificationService is a remote service that verifies whether images are authentic. Its
// fields are set once.
type VerificationService struct {
	// Root is the base URL of the service, Key its API key.
	Root, Key string
	Client    *http.Client
}

const (
	// verifying is the timeout of a request to the service.
	verifying = 20 * time.Second
	// maxVerdict is the maximum number of bytes read from a response.
	maxVerdict = 64 << 10
)

type question struct {
	URL      string   `json:"url"`
	Metadata metadata `json:"metadata"`
}

// metadata is the client's information about the image, as far as it was given.
type metadata struct {
	ImageFormat    social.ImageFormat `json:"imageFormat,omitempty"`
	OriginalFormat string             `json:"originalFormat,omitempty"`
	TakenInReal    bool               `json:"takenInReal,omitempty"`
}

// Verify requests a verdict on the image that can be read at url. Anything but a verdict is
// a *social.Unfit: the post cannot be completed without one.
func (v *VerificationService) Verify(ctx context.Context, url string, image *social.PostImage) (bool, error) {
	verdict, err := v.ask(ctx, url, image)
	if err != nil && ctx.Err() == nil {
		return false, &social.Unfit{Reason: "Image cannot be verified: " + err.Error()}
	}
	return verdict, err
}

func (v *VerificationService) ask(ctx context.Context, url string, image *social.PostImage) (bool, error) {
	ctx, cancel := context.WithTimeout(ctx, verifying)
	defer cancel()
	q := question{URL: url}
	if image != nil {
		q.Metadata = metadata{image.Format, image.OriginalFormat, social.On(image.TakenInReal)}
	}
	body, err := json.Marshal(q)
	if err != nil {
		return false, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, strings.TrimSuffix(v.Root, "/")+"/verify/image", bytes.NewReader(body))
	if err != nil {
		return false, err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("X-Api-Key", v.Key)
	answer, err := v.Client.Do(request)
	if err != nil {
		return false, err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return false, fmt.Errorf("the service answers %s", answer.Status)
	}
	var verdict struct{ Data struct{ IsVerified *bool } }
	if err := json.NewDecoder(io.LimitReader(answer.Body, maxVerdict)).Decode(&verdict); err != nil {
		return false, err
	}
	if verdict.Data.IsVerified == nil {
		return false, fmt.Errorf("the service gives no verdict")
	}
	return *verdict.Data.IsVerified, nil
}
