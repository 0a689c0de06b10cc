// Package picture turns what users upload into the pictures that are shown: it decodes,
// turns upright, crops and writes every size, within bounds of memory and time.
//
// An error that is an *Unfit is the picture's fault and final. Any other error is not:
// the same picture may well be processed when it is tried again.
package picture
