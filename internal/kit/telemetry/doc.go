// Package telemetry measures store calls for Prometheus.
//
// What a client chooses must never become a label, or it decides how many time
// series a process keeps.
package telemetry
