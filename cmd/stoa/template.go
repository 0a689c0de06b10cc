package main

import (
	"context"
	"encoding/json"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stoa/internal/host"
	"stoa/internal/kit/cli"
	"stoa/internal/kit/keyspec"
)

// servingActions are the calls to DynamoDB that a server makes, and its commands with them. A
// test records them.
var servingActions = []string{
	"dynamodb:BatchGetItem", "dynamodb:BatchWriteItem", "dynamodb:ConditionCheckItem", "dynamodb:DeleteItem", "dynamodb:DescribeTable",
	"dynamodb:DescribeTimeToLive", "dynamodb:GetItem", "dynamodb:PutItem", "dynamodb:Query", "dynamodb:Scan", "dynamodb:UpdateItem",
}

func (m *Main) templateCommand() *cli.Command {
	return &cli.Command{
		Name:  "template",
		Usage: "print a CloudFormation template with the tables, a bucket and a least-privilege policy",
		Description: "Tables and bucket are kept when the stack is deleted. The policy is for the role of the processes that serve, which need no " +
			"right to create or change tables.\n\n" +
			"Example:\n   stoa tables template --systems social > stoa.json",
		Flags: settingFlags("table-prefix", "systems"),
		Action: m.with(func(_ context.Context, cmd *cli.Command, settings Settings) error {
			out := json.NewEncoder(m.Stdout)
			out.SetIndent("", "  ")
			return out.Encode(template(settings.TablePrefix, host.Tables(settings.systems()...)))
		}),
	}
}

// object is an object of JSON whose fields are known where it is written.
type object = map[string]any

// template returns the template for CloudFormation of tables.
func template(prefix string, tables []*keyspec.Table) object {
	resources, names := object{}, []any{}
	for _, t := range tables {
		id := logical(t.Name) + "Table"
		resources[id] = tableResource(prefix, t)
		arn := object{"Fn::GetAtt": []any{id, "Arn"}}
		names = append(names, arn, object{"Fn::Join": []any{"", []any{arn, "/index/*"}}})
	}
	resources["MediaBucket"] = object{
		"Type": "AWS::S3::Bucket", "DeletionPolicy": "Retain", "UpdateReplacePolicy": "Retain",
		"Properties": object{
			"PublicAccessBlockConfiguration": object{"BlockPublicAcls": true, "BlockPublicPolicy": true, "IgnorePublicAcls": true, "RestrictPublicBuckets": true},
			"LifecycleConfiguration": object{"Rules": []any{object{
				"Id": "unfinished uploads", "Status": "Enabled", "AbortIncompleteMultipartUpload": object{"DaysAfterInitiation": 1},
			}}},
		},
	}
	bucket := object{"Fn::GetAtt": []any{"MediaBucket", "Arn"}}
	resources["ServingPolicy"] = object{
		"Type": "AWS::IAM::ManagedPolicy",
		"Properties": object{
			"Description": "What a process of stoa does with its tables and its bucket",
			"PolicyDocument": object{"Version": "2012-10-17", "Statement": []any{
				object{"Effect": "Allow", "Action": servingActions, "Resource": names},
				object{"Effect": "Allow", "Action": []string{"s3:ListBucket"}, "Resource": bucket},
				object{"Effect": "Allow", "Action": []string{"s3:AbortMultipartUpload", "s3:DeleteObject", "s3:GetObject", "s3:PutObject"},
					"Resource": object{"Fn::Join": []any{"", []any{bucket, "/*"}}}},
			}},
		},
	}
	return object{
		"AWSTemplateFormatVersion": "2010-09-09",
		"Description":              "Tables, media bucket and rights of stoa",
		"Resources":                resources,
		"Outputs":                  object{"Bucket": object{"Value": object{"Ref": "MediaBucket"}}, "Policy": object{"Value": object{"Ref": "ServingPolicy"}}},
	}
}

func tableResource(prefix string, t *keyspec.Table) object {
	in := t.CreateInput(prefix + t.Name)
	properties := object{
		"TableName": *in.TableName, "BillingMode": in.BillingMode, "AttributeDefinitions": attributes(in), "KeySchema": elements(in.KeySchema),
		"PointInTimeRecoverySpecification": object{"PointInTimeRecoveryEnabled": true},
	}
	if t.Expiry != "" {
		properties["TimeToLiveSpecification"] = object{"AttributeName": t.Expiry, "Enabled": true}
	}
	if len(in.GlobalSecondaryIndexes) > 0 {
		var all []any
		for _, ix := range in.GlobalSecondaryIndexes {
			all = append(all, object{
				"IndexName": *ix.IndexName, "KeySchema": elements(ix.KeySchema), "Projection": object{"ProjectionType": ix.Projection.ProjectionType},
			})
		}
		properties["GlobalSecondaryIndexes"] = all
	}
	return object{"Type": "AWS::DynamoDB::Table", "DeletionPolicy": "Retain", "UpdateReplacePolicy": "Retain", "Properties": properties}
}

func attributes(in *dynamodb.CreateTableInput) []any {
	var all []any
	for _, d := range in.AttributeDefinitions {
		all = append(all, object{"AttributeName": *d.AttributeName, "AttributeType": d.AttributeType})
	}
	return all
}

func elements(schema []types.KeySchemaElement) []any {
	var all []any
	for _, e := range schema {
		all = append(all, object{"AttributeName": *e.AttributeName, "KeyType": e.KeyType})
	}
	return all
}

// logical returns the name of a table as a logical id, which has letters and digits alone.
func logical(name string) string {
	words := strings.FieldsFunc(name, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	for i, word := range words {
		first, size := utf8.DecodeRuneInString(word)
		words[i] = string(unicode.ToUpper(first)) + word[size:]
	}
	return strings.Join(words, "")
}
