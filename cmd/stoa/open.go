package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"slices"
	"syscall"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	awsconfig "github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/smithy-go"
	"github.com/aws/smithy-go/logging"
	smithyhttp "github.com/aws/smithy-go/transport/http"
	"github.com/guregu/dynamo/v2/dynamodbiface"

	"stoa/internal/kit/engine"
)

// openStorage returns a client for the data, and a function that closes it. Embedded data
// is copied for each value of copies, which may be nil.
func openStorage(ctx context.Context, s Settings, copies <-chan os.Signal, log *slog.Logger) (dynamodbiface.DynamoDBAPI, func() error, error) {
	if !s.Store.Embedded() {
		client, err := openRemote(ctx, s)
		return client, func() error { return nil }, err
	}
	e, err := openEngine(s.Store, engine.WithLogger(log))
	if err != nil {
		return nil, nil, err
	}
	stopCopying := copyOnRequest(e, s.Store.Dir, copies, log)
	return e, func() error { stopCopying(); return e.Close() }, nil
}

// openEngine opens the engine on the embedded storage s.
func openEngine(s Storage, opts ...engine.Option) (*engine.Engine, error) {
	if s.Memory {
		return engine.OpenMemory(opts...)
	}
	e, err := engine.Open(s.Dir, opts...)
	if err != nil {
		return nil, explainOpen(s.Dir, err)
	}
	return e, nil
}

// demand returns an error if embedded data do not exist. Opening a mistyped directory would
// create a store there, which only some commands are meant to do.
func (s Storage) demand() error {
	if s.Dir == "" || engine.Exists(s.Dir) {
		return nil
	}
	return fmt.Errorf("no store at %s: create one with stoa serve or stoa seed", s.Dir)
}

func explainOpen(dir string, err error) error {
	var locked *engine.LockedError
	var format *engine.FormatError
	var exposed *engine.ExposedError
	var unwritable *engine.UnwritableError
	switch {
	case errors.As(err, &unwritable):
		return fmt.Errorf(
			"the data directory %s cannot be written (%w): mount it writable, give it to the user who runs stoa with mode 0700, "+
				"or choose another with --store embedded:DIR",
			dir,
			rootCause(unwritable.Err),
		)
	case errors.As(err, &locked):
		return &lockedError{fmt.Sprintf("the data in %s is in use by another process: stop that process, or choose other data with --store embedded:DIR", dir)}
	case errors.As(err, &format):
		return fmt.Errorf(
			"the data in %s has format %s, and this version of stoa reads format %d: export it with the version that wrote it, and import the file",
			dir,
			format.Found,
			engine.Format,
		)
	case errors.As(err, &exposed):
		return fmt.Errorf(
			"the data in %s, which include the keys that sign tokens, can be read by other users (mode %04o): run chmod -R go= %s, "+
				"or choose a private directory below it with --store embedded:DIR",
			dir,
			exposed.Mode,
			dir,
		)
	case errors.Is(err, engine.ErrDiskFull), errors.Is(err, syscall.ENOSPC):
		return fmt.Errorf("the data in %s cannot be opened because its disk is full: free some space and try again", dir)
	default:
		return fmt.Errorf(
			"the data in %s cannot be opened: %w: choose a writable directory that is empty or was created by stoa, with --store embedded:DIR",
			dir,
			err,
		)
	}
}

// rootCause returns the system's error without the operation and the file that failed.
func rootCause(err error) error {
	var errno syscall.Errno
	if errors.As(err, &errno) {
		return errno
	}
	return err
}

// lockedError means that a running server has opened the data.
type lockedError struct{ text string }

func (e *lockedError) Error() string { return e.text }

// storeCall is the timeout of one attempt of a call, which usually takes milliseconds. An
// endpoint that accepts requests and does not answer would otherwise hold up what has no
// timeout of its own, such as the end of the program.
const storeCall = 10 * time.Second

// storeConnections is how many idle connections to a remote store are kept. The SDK keeps ten, and
// would open a new one for most of the calls of a busy server.
const storeConnections = 256

// openRemote finds credentials in the same places as all AWS tools, and retrieves them at
// once: a server without credentials would otherwise fail only at its first request.
func openRemote(ctx context.Context, s Settings) (dynamodbiface.DynamoDBAPI, error) {
	// The SDK also returns as errors what it would log.
	cfg, err := awsconfig.LoadDefaultConfig(ctx, awsconfig.WithRegion(s.Region), awsconfig.WithLogger(logging.Nop{}),
		awsconfig.WithHTTPClient(awshttp.NewBuildableClient().WithTimeout(storeCall).WithTransportOptions(func(t *http.Transport) {
			t.MaxIdleConns, t.MaxIdleConnsPerHost = storeConnections, storeConnections
		})))
	if err != nil {
		return nil, fmt.Errorf("the AWS configuration cannot be read: %w", err)
	}
	if _, err := cfg.Credentials.Retrieve(ctx); err != nil {
		return nil, fmt.Errorf(
			"no usable AWS credentials (%w): set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, choose a profile with AWS_PROFILE, or give the machine a role",
			err,
		)
	}
	return remoteClient(cfg, s.Store.Endpoint, newPatient(throttledDelay)), nil
}

// remoteClient returns a client for an endpoint, or for AWS if it is empty.
func remoteClient(cfg aws.Config, endpoint string, retryer aws.RetryerV2) *dynamodb.Client {
	return dynamodb.NewFromConfig(cfg, func(o *dynamodb.Options) {
		o.Retryer = retryer // with AWS_MAX_ATTEMPTS, if that is set
		if endpoint != "" {
			o.BaseEndpoint = aws.String(endpoint)
		}
	})
}

// explainRemote explains the failures of a remote store that an operator can fix, and adds
// the location to all others.
func explainRemote(s Settings, err error) error {
	var refused smithy.APIError
	var unreachable *net.OpError
	var unsent *smithyhttp.RequestSendError
	var foreign *smithy.DeserializationError
	switch {
	case errors.As(err, &refused) && slices.Contains(credentialFaults, refused.ErrorCode()):
		return fmt.Errorf(
			"%s refuses the AWS credentials (%s): check that they are valid and allow access to the tables %s*",
			s.Store,
			refused.ErrorCode(),
			s.TablePrefix,
		)
	case errors.As(err, &unreachable):
		return fmt.Errorf("%s cannot be reached (%w): check --store and --region", s.Store, unreachable)
	case errors.As(err, &unsent):
		return fmt.Errorf("%s cannot be reached (%w): check --store", s.Store, unsent.Err)
	case errors.As(err, &foreign):
		return fmt.Errorf("%s does not answer like DynamoDB (%w): check --store", s.Store, foreign.Err)
	default:
		return fmt.Errorf("the tables in %s: %w", s.Store, err)
	}
}

// credentialFaults are DynamoDB's error codes for refused callers.
var credentialFaults = []string{
	"UnrecognizedClientException", "InvalidSignatureException", "IncompleteSignatureException",
	"MissingAuthenticationTokenException", "ExpiredTokenException", "AccessDeniedException",
}
