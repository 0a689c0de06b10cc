package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/compose-spec/compose-go/v2/cli"
	apps "k8s.io/api/apps/v1"
	core "k8s.io/api/core/v1"
	networking "k8s.io/api/networking/v1"
	policy "k8s.io/api/policy/v1"
	"sigs.k8s.io/yaml"
)

// Each document of the manifests is an object of Kubernetes, with no field that it does not have.
func TestManifestsAreValid(t *testing.T) {
	for file, want := range map[string][]string{
		"../kubernetes/stoa.yaml": {"ServiceAccount", "ConfigMap", "Secret", "Deployment", "Service", "PodDisruptionBudget", "Ingress"},
		"../kubernetes/nats.yaml": {"Deployment", "Service", "NetworkPolicy"},
	} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		documents := regexp.MustCompile(`(?m)^---$`).Split(string(text), -1)
		if len(documents) != len(want) {
			t.Fatalf("%s has %d objects, want %d", file, len(documents), len(want))
		}
		for i, document := range documents {
			object := map[string]any{
				"ServiceAccount": &core.ServiceAccount{}, "ConfigMap": &core.ConfigMap{}, "Secret": &core.Secret{}, "Deployment": &apps.Deployment{},
				"Service": &core.Service{}, "PodDisruptionBudget": &policy.PodDisruptionBudget{}, "Ingress": &networking.Ingress{},
				"NetworkPolicy": &networking.NetworkPolicy{},
			}[want[i]]
			if err := yaml.UnmarshalStrict([]byte(document), object); err != nil {
				t.Errorf("%s: %s: %v", file, want[i], err)
			}
			if !strings.Contains(document, "\nkind: "+want[i]+"\n") {
				t.Errorf("%s: object %d is not a %s", file, i, want[i])
			}
			switch o := object.(type) {
			case *apps.Deployment:
				checkPods(t, file, o)
			case *core.ConfigMap:
				checkSettings(t, file, o.Data["stoa.yaml"])
			}
		}
	}
}

// checkSettings verifies that no variable of the image overrides a settings file.
func checkSettings(t *testing.T, file, text string) {
	t.Helper()
	settings := map[string]any{}
	if err := yaml.Unmarshal([]byte(text), &settings); err != nil || len(settings) == 0 {
		t.Fatalf("%s: %d settings, %v", file, len(settings), err)
	}
	for key, value := range settings {
		variable := "STOA_" + strings.ToUpper(regexp.MustCompile(`[A-Z]`).ReplaceAllString(key, "_$0")) + "="
		for _, v := range environment {
			if strings.HasPrefix(v, variable) && v != variable+fmt.Sprint(value) {
				t.Errorf("%s: the image overrides %s by %s", file, key, v)
			}
		}
	}
}

// checkPods verifies that a deployment selects its own pods, and that these have no more rights
// than they need.
func checkPods(t *testing.T, file string, d *apps.Deployment) {
	t.Helper()
	for key, value := range d.Spec.Selector.MatchLabels {
		if d.Spec.Template.Labels[key] != value {
			t.Errorf("%s: %s does not select its pods", file, d.Name)
		}
	}
	pod := d.Spec.Template.Spec
	for _, c := range pod.Containers {
		s := c.SecurityContext
		if !*pod.SecurityContext.RunAsNonRoot || !*s.ReadOnlyRootFilesystem || *s.AllowPrivilegeEscalation || len(s.Capabilities.Drop) != 1 {
			t.Errorf("%s: container %s has rights that it does not need", file, c.Name)
		}
	}
}

// The compose file is valid, and every process is checked, restarted and without rights.
func TestComposeFileIsValid(t *testing.T) {
	options, err := cli.NewProjectOptions([]string{"../container/compose.yaml"}, cli.WithName("stoa"))
	if err != nil {
		t.Fatal(err)
	}
	project, err := options.LoadProject(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"stoa-1", "stoa-2", "stoa-3"} {
		s, err := project.GetService(name)
		if err != nil {
			t.Fatal(err)
		}
		if !s.ReadOnly || len(s.CapDrop) == 0 || s.Restart == "" || s.Environment["STOA_BUS"] == nil {
			t.Errorf("%s is %+v", name, s)
		}
		// A volume belongs to root unless the image has its directory, which is then copied.
		for _, v := range s.Volumes {
			if v.Target != "/data" {
				t.Errorf("%s cannot write to its volume %s", name, v.Target)
			}
		}
		if media := s.Environment["STOA_MEDIA"]; media == nil || !strings.HasPrefix(*media, "file:/data/") {
			t.Errorf("%s does not store media in its volume", name)
		}
	}
	nginx, err := os.ReadFile("../container/nginx.conf")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"stoa-1:8080", "stoa-2:8080", "stoa-3:8080"} {
		if !bytes.Contains(nginx, []byte("server "+name+" ")) {
			t.Errorf("the proxy does not know %s", name)
		}
	}
}

// The service is confined as tightly as systemd can tell: 0 is best, 10 worst.
func TestTheUnitIsConfined(t *testing.T) {
	if _, err := exec.LookPath("systemd-analyze"); err != nil {
		t.Skip("systemd-analyze is not installed")
	}
	out, err := exec.Command("systemd-analyze", "security", "--offline=true", "--no-pager", "--threshold=20", "../systemd/stoa.service").CombinedOutput()
	if err != nil {
		t.Errorf("%v:\n%s", err, out)
	}
}
