// Command pulumi-resource-kubernetes is the Kubernetes provider of the tests,
// because no registry in reach serves its release binary.
//
// The schema and the SDK metadata are empty: a running program never asks for
// them, only the generator of SDKs does.
package main

import "github.com/pulumi/pulumi-kubernetes/provider/v4/pkg/provider"

func main() {
	provider.Serve("kubernetes", "4.25.0", []byte("{}"), []byte("{}"))
}
