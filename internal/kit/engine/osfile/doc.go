// Package osfile is what operating systems can do with files beyond what package os
// offers. Where one cannot, OpenDirect says so and GiveBack does nothing.
package osfile
