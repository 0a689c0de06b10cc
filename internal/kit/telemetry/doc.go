// Package telemetry measures store calls for Prometheus.
//
// Values chosen by clients must never become labels, since these determine the number of
// time series.
package telemetry
