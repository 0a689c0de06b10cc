// Package picture converts uploads to the pictures that are shown: it decodes, rotates,
// crops and encodes them in all sizes, with limits of memory and time.
//
// An error that is an *Unfit is caused by the picture and permanent. Any other error is
// not: processing the same picture may succeed later.
package picture
