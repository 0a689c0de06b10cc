package graph

// Scalars are the validators of the schema's scalars, by name.
var Scalars = map[string]func(value any) error{
	"AWSDate":      checked(UnmarshalAWSDate),
	"AWSTime":      checked(UnmarshalAWSTime),
	"AWSDateTime":  checked(UnmarshalAWSDateTime),
	"AWSTimestamp": checked(UnmarshalAWSTimestamp),
	"AWSEmail":     checked(UnmarshalAWSEmail),
	"AWSJSON":      checked(UnmarshalAWSJSON),
	"AWSPhone":     checked(UnmarshalAWSPhone),
	"AWSURL":       checked(UnmarshalAWSURL),
	"AWSIPAddress": checked(UnmarshalAWSIPAddress),
}

func checked[T any](unmarshal func(any) (T, error)) func(any) error {
	return func(value any) error {
		_, err := unmarshal(value)
		return err
	}
}
