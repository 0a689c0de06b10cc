package blob

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	awsconfig "github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	s3types "github.com/aws/aws-sdk-go-v2/service/s3/types"
	"github.com/aws/smithy-go"
	"github.com/aws/smithy-go/logging"
)

// partSize is the memory used by a Put. S3 allows 10,000 parts of at least 5 MiB.
const partSize = 8 << 20

// Bucket is a Store in S3 or a compatible service.
type Bucket struct {
	client  *s3.Client
	presign *s3.PresignClient
	name    string
}

// answering is the timeout of the service once it has a request. Of long copies, S3 sends the
// beginning of the answer before the end.
const answering = time.Minute

func openS3(ctx context.Context, bucket, region, endpoint string) (*Bucket, error) {
	options := []func(*awsconfig.LoadOptions) error{
		awsconfig.WithLogger(logging.Nop{}),
		awsconfig.WithHTTPClient(awshttp.NewBuildableClient().WithTransportOptions(func(t *http.Transport) { t.ResponseHeaderTimeout = answering })),
	}
	if region != "" {
		options = append(options, awsconfig.WithRegion(region))
	}
	cfg, err := awsconfig.LoadDefaultConfig(ctx, options...)
	if err != nil {
		return nil, fmt.Errorf("credentials for s3://%s: %w", bucket, err)
	}
	if cfg.Region == "" {
		cfg.Region = "us-east-1"
	}
	return NewBucket(s3.NewFromConfig(cfg, func(o *s3.Options) {
		// Requests are signed with a digest of their body anyway. Many compatible services
		// refuse the checksums that the SDK adds, and S3 those of parts of an upload that was
		// not begun with one.
		o.RequestChecksumCalculation = aws.RequestChecksumCalculationWhenRequired
		if endpoint != "" {
			o.BaseEndpoint = aws.String(endpoint)
			o.UsePathStyle = true // most servers other than AWS have no host name per bucket
		}
	}), bucket), nil
}

// NewBucket returns a Store of an existing bucket.
func NewBucket(client *s3.Client, bucket string) *Bucket {
	return &Bucket{client: client, presign: s3.NewPresignClient(client), name: bucket}
}

// Put implements Store. It uses a multipart upload unless the object fits into one part.
func (b *Bucket) Put(ctx context.Context, key string, r io.Reader) (int64, error) {
	if err := CheckKey(key); err != nil {
		return 0, err
	}
	part, last, err := readPart(r, bytes.NewBuffer(nil))
	if err != nil {
		return 0, err
	}
	if !last {
		return b.putParts(ctx, key, part, r)
	}
	_, err = b.client.PutObject(ctx, &s3.PutObjectInput{
		Bucket: &b.name, Key: &key, Body: bytes.NewReader(part.Bytes()), ContentType: aws.String(ContentType(key)),
	})
	return int64(part.Len()), err
}

// readPart fills buffer and reports whether r has ended.
func readPart(r io.Reader, buffer *bytes.Buffer) (*bytes.Buffer, bool, error) {
	buffer.Reset()
	n, err := io.CopyN(buffer, r, partSize)
	if err == io.EOF {
		err = nil
	}
	return buffer, n < partSize, err
}

func (b *Bucket) putParts(ctx context.Context, key string, part *bytes.Buffer, r io.Reader) (size int64, err error) {
	upload, err := b.client.CreateMultipartUpload(ctx, &s3.CreateMultipartUploadInput{
		Bucket: &b.name, Key: &key, ContentType: aws.String(ContentType(key)),
	})
	if err != nil {
		return 0, err
	}
	defer func() {
		if err != nil { // abort even if the client is gone
			ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Minute)
			defer cancel()
			_, abortErr := b.client.AbortMultipartUpload(ctx, &s3.AbortMultipartUploadInput{Bucket: &b.name, Key: &key, UploadId: upload.UploadId})
			err = errors.Join(err, abortErr)
		}
	}()
	var done []s3types.CompletedPart
	for last := false; ; {
		number := aws.Int32(int32(len(done) + 1))
		sent, err := b.client.UploadPart(ctx, &s3.UploadPartInput{
			Bucket: &b.name, Key: &key, UploadId: upload.UploadId, PartNumber: number, Body: bytes.NewReader(part.Bytes()),
		})
		if err != nil {
			return 0, err
		}
		size += int64(part.Len())
		done = append(done, s3types.CompletedPart{ETag: sent.ETag, PartNumber: number})
		if last {
			break
		}
		if part, last, err = readPart(r, part); err != nil {
			return 0, err
		}
		if part.Len() == 0 {
			break
		}
	}
	_, err = b.client.CompleteMultipartUpload(ctx, &s3.CompleteMultipartUploadInput{
		Bucket: &b.name, Key: &key, UploadId: upload.UploadId, MultipartUpload: &s3types.CompletedMultipartUpload{Parts: done},
	})
	return size, err
}

// Open implements Store.
func (b *Bucket) Open(ctx context.Context, key string, part Range) (io.ReadCloser, Info, error) {
	if err := CheckKey(key); err != nil {
		return nil, Info{}, err
	}
	in := &s3.GetObjectInput{Bucket: &b.name, Key: &key}
	switch {
	case part.Length > 0:
		in.Range = aws.String(fmt.Sprintf("bytes=%d-%d", part.Start, part.Start+part.Length-1))
	case part.Start > 0:
		in.Range = aws.String(fmt.Sprintf("bytes=%d-", part.Start))
	}
	out, err := b.client.GetObject(ctx, in)
	if err != nil {
		return nil, Info{}, absent(err)
	}
	info := Info{Size: aws.ToInt64(out.ContentLength), ETag: aws.ToString(out.ETag), ModifiedAt: aws.ToTime(out.LastModified)}
	if in.Range != nil {
		if _, err := fmt.Sscanf(aws.ToString(out.ContentRange), "bytes %d-%d/%d", new(int64), new(int64), &info.Size); err != nil {
			return nil, Info{}, errors.Join(fmt.Errorf("range of s3://%s/%s: %w", b.name, key, err), out.Body.Close())
		}
	}
	return out.Body, info, nil
}

// Head implements Store.
func (b *Bucket) Head(ctx context.Context, key string) (Info, error) {
	if err := CheckKey(key); err != nil {
		return Info{}, err
	}
	out, err := b.client.HeadObject(ctx, &s3.HeadObjectInput{Bucket: &b.name, Key: &key})
	if err != nil {
		return Info{}, absent(err)
	}
	return Info{Size: aws.ToInt64(out.ContentLength), ETag: aws.ToString(out.ETag), ModifiedAt: aws.ToTime(out.LastModified)}, nil
}

// Copy implements Store, for objects of up to 5 GB.
func (b *Bucket) Copy(ctx context.Context, from, to string) error {
	for _, key := range []string{from, to} {
		if err := CheckKey(key); err != nil {
			return err
		}
	}
	if from == to {
		return nil
	}
	_, err := b.client.CopyObject(ctx, &s3.CopyObjectInput{
		Bucket: &b.name, Key: &to, CopySource: aws.String(b.name + "/" + copySource(from)),
		ContentType: aws.String(ContentType(to)), MetadataDirective: s3types.MetadataDirectiveReplace,
	})
	return absent(err)
}

// copySource encodes a key for CopyObject, which takes a plus sign for a space.
func copySource(key string) string {
	return strings.ReplaceAll((&url.URL{Path: key}).EscapedPath(), "+", "%2B")
}

// Delete implements Store.
func (b *Bucket) Delete(ctx context.Context, key string) error {
	if err := CheckKey(key); err != nil {
		return err
	}
	_, err := b.client.DeleteObject(ctx, &s3.DeleteObjectInput{Bucket: &b.name, Key: &key})
	if err = absent(err); errors.Is(err, ErrNotFound) {
		return nil
	}
	return err
}

// DeleteTree implements Store. It deletes page by page; a failure leaves the rest for
// the next attempt.
func (b *Bucket) DeleteTree(ctx context.Context, prefix string) error {
	if err := CheckKey(prefix); err != nil {
		return err
	}
	pages := s3.NewListObjectsV2Paginator(b.client, &s3.ListObjectsV2Input{Bucket: &b.name, Prefix: aws.String(prefix + "/")})
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if err != nil {
			return err
		}
		if len(page.Contents) == 0 {
			continue
		}
		var doomed []s3types.ObjectIdentifier
		for _, object := range page.Contents {
			doomed = append(doomed, s3types.ObjectIdentifier{Key: object.Key})
		}
		out, err := b.client.DeleteObjects(ctx, &s3.DeleteObjectsInput{
			Bucket: &b.name, Delete: &s3types.Delete{Objects: doomed, Quiet: aws.Bool(true)},
		})
		if err != nil {
			return err
		}
		if len(out.Errors) > 0 {
			e := out.Errors[0]
			return fmt.Errorf("delete s3://%s/%s: %s: %s", b.name, aws.ToString(e.Key), aws.ToString(e.Code), aws.ToString(e.Message))
		}
	}
	return nil
}

// checking is the timeout of Check.
const checking = 15 * time.Second

// Check returns an error, with a remedy, if the bucket does not exist or cannot be used
// with the credentials.
func (b *Bucket) Check(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, checking)
	defer cancel()
	if _, err := b.client.Options().Credentials.Retrieve(ctx); err != nil {
		return fmt.Errorf(
			"no usable AWS credentials for the bucket %s (%w): set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, choose a profile with AWS_PROFILE, "+
				"or give the machine a role",
			b.name,
			err,
		)
	}
	_, err := b.client.HeadBucket(ctx, &s3.HeadBucketInput{Bucket: &b.name})
	var answer interface{ HTTPStatusCode() int }
	var unreachable *net.OpError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &unreachable):
		return fmt.Errorf("the bucket %s cannot be reached (%w): check its endpoint and region", b.name, unreachable)
	case !errors.As(err, &answer):
		return fmt.Errorf("the bucket %s cannot be used: %w", b.name, err)
	}
	switch answer.HTTPStatusCode() {
	case http.StatusNotFound:
		return fmt.Errorf("the bucket %s does not exist: create it, or name another", b.name)
	case http.StatusForbidden:
		return fmt.Errorf(
			"the bucket %s refuses the AWS credentials: check that they are valid, and may list the bucket and read, write and delete its objects",
			b.name,
		)
	case http.StatusMovedPermanently, http.StatusBadRequest:
		return fmt.Errorf("the bucket %s is not in region %s: set its region with ?region=REGION", b.name, b.client.Options().Region)
	default:
		return fmt.Errorf("the bucket %s cannot be used: %w", b.name, err)
	}
}

// Presign implements Presigner.
func (b *Bucket) Presign(ctx context.Context, method, key string, expires time.Duration, cache string) (string, error) {
	if err := CheckKey(key); err != nil {
		return "", err
	}
	within := s3.WithPresignExpires(expires)
	if method == http.MethodHead {
		request, err := b.presign.PresignHeadObject(ctx, &s3.HeadObjectInput{Bucket: &b.name, Key: &key, ResponseCacheControl: &cache}, within)
		if err != nil {
			return "", err
		}
		return request.URL, nil
	}
	request, err := b.presign.PresignGetObject(ctx, &s3.GetObjectInput{Bucket: &b.name, Key: &key, ResponseCacheControl: &cache}, within)
	if err != nil {
		return "", err
	}
	return request.URL, nil
}

// absent converts S3's various errors for missing objects to ErrNotFound.
func absent(err error) error {
	var failure smithy.APIError
	if errors.As(err, &failure) {
		switch failure.ErrorCode() {
		case "NoSuchKey", "NotFound":
			return ErrNotFound
		}
	}
	return err
}
