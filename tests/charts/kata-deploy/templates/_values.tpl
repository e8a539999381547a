{{- /* The shims that are switched on, as a YAML list: said by themselves, or all that nobody switched off. */ -}}
{{- define "shims" -}}
{{- $on := list -}}
{{- range $name, $shim := omit .Values.shims "disableAll" -}}
{{- if kindIs "invalid" $shim.enabled | ternary (not $.Values.shims.disableAll) $shim.enabled -}}
{{- $on = append $on $name -}}
{{- end -}}
{{- end -}}
{{- toJson $on -}}
{{- end -}}

{{- /* An image as the node's containerd takes it. */ -}}
{{- define "image" -}}
{{- if contains "@" .reference -}}{{ .reference }}{{- else -}}{{ .reference }}:{{ .tag }}{{- end -}}
{{- end -}}

{{- /* The program and its environment, in a container of a pod that has the volumes `program` and `scratch`. */ -}}
{{- define "container" -}}
name: kata
imagePullPolicy: IfNotPresent
workingDir: /
env:
  - {name: NAMESPACE, value: {{ .Release.Namespace }}}
  - {name: NODE, valueFrom: {fieldRef: {fieldPath: spec.nodeName}}}
  - {name: HANDLERS, value: {{ include "shims" . | fromJsonArray | join "," | quote }}}
volumeMounts:
  - {name: program, mountPath: /program, readOnly: true}
  - {name: scratch, mountPath: /tmp}
{{- end -}}

{{- /* What makes an object a hook that comes after an uninstall, in the order of the weights. */ -}}
{{- define "afterwards" -}}
helm.sh/hook: post-delete
helm.sh/hook-weight: {{ . | quote }}
helm.sh/hook-delete-policy: before-hook-creation,hook-succeeded
{{- end -}}
