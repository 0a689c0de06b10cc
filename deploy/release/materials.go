package main

import (
	"debug/buildinfo"
	"os"
	"runtime/debug"
	"time"

	cdx "github.com/CycloneDX/cyclonedx-go"
)

// describe writes the bill of materials of a binary in the JSON of CycloneDX: the modules that
// are linked into it, as it says itself.
func (r *release) describe(b binary) error {
	file, err := os.Create(b.path + ".cdx.json")
	if err != nil {
		return err
	}
	defer file.Close()
	encoder := cdx.NewBOMEncoder(file, cdx.BOMFileFormatJSON).SetPretty(true)
	if err := encoder.EncodeVersion(r.materials(b.info), cdx.SpecVersion1_6); err != nil {
		return err
	}
	return file.Close()
}

func (r *release) materials(info *buildinfo.BuildInfo) *cdx.BOM {
	program := module(info.Main)
	program.Type, program.Version = cdx.ComponentTypeApplication, "v"+r.version
	components, all := []cdx.Component{{
		BOMRef: "go", Type: cdx.ComponentTypeLibrary, Name: "std", Version: info.GoVersion, PackageURL: "pkg:golang/std@" + info.GoVersion,
	}}, []string{"go"}
	for _, m := range info.Deps {
		c := module(*m)
		components, all = append(components, c), append(all, c.BOMRef)
	}
	bom := cdx.NewBOM()
	bom.Metadata = &cdx.Metadata{Timestamp: r.commit.Format(time.RFC3339), Component: &program}
	bom.Components = &components
	bom.Dependencies = &[]cdx.Dependency{{Ref: program.BOMRef, Dependencies: &all}}
	return bom
}

func module(m debug.Module) cdx.Component {
	if m.Replace != nil {
		m = *m.Replace
	}
	url := "pkg:golang/" + m.Path + "@" + m.Version
	return cdx.Component{BOMRef: url, Type: cdx.ComponentTypeLibrary, Name: m.Path, Version: m.Version, PackageURL: url}
}
