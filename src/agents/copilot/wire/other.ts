/** The `data` of other events: questions, hooks, MCP, workflows. */
export const otherFields: Readonly<Record<string, string>> = {
  'auto_mode_switch.completed': 'requestId response',
  'auto_mode_switch.requested': 'requestId errorCode retryAfterSeconds',
  'capabilities.changed': 'ui',
  'command.completed': 'requestId',
  'command.execute': 'requestId command commandName args',
  'command.queued': 'requestId command',
  'commands.changed': 'commands',
  'elicitation.completed': 'requestId action content',
  'elicitation.requested': `
    requestId toolCallId elicitationSource message mode requestedSchema url
  `,
  'exit_plan_mode.completed': 'requestId approved selectedAction autoApproveEdits feedback',
  'exit_plan_mode.requested': 'requestId summary planContent actions recommendedAction model',
  'external_tool.completed': 'requestId',
  'external_tool.requested': `
    requestId sessionId toolCallId toolName providerId arguments workingDirectory traceparent
    tracestate
  `,
  'hook.end': 'hookInvocationId hookType output success error parentToolCallId',
  'hook.progress': 'message temporary',
  'hook.start': 'hookInvocationId hookType input parentToolCallId',
  'human_response.recorded': 'requestId toolCallId actor response',
  'mcp.headers_refresh_completed': 'requestId outcome',
  'mcp.headers_refresh_required': 'requestId serverName serverUrl reason',
  'mcp.oauth_completed': 'requestId outcome',
  'mcp.oauth_recovery_completed': 'requestId serverName outcome',
  'mcp.oauth_required': `
    requestId serverName serverUrl staticClientConfig wwwAuthenticateParams httpResponse
    resourceMetadata reason runtimeRefreshSupported
  `,
  'mcp.prompts.list_changed': 'serverName',
  'mcp.resources.list_changed': 'serverName',
  'mcp.tools.list_changed': 'serverName',
  'mcp_app.tool_call_complete': `
    serverName toolName arguments success durationMs result error toolMeta
  `,
  'pending_messages.modified': '',
  'permission.assentDetected': 'requestId turnIndex',
  'permission.carriedForward': 'requestId toolCallId recordId decisionSource',
  'permission.completed': `
    requestId toolCallId recoveryEpisodeId blocker result decisionSource
  `,
  'permission.contextualAuthorization': `
    recordId requestId turnIndex polarity spanStart spanEnd
  `,
  'permission.messageAuthorization': `
    recordId turnIndex polarity actionClass spanStart spanEnd targetMembers task world
  `,
  'permission.messageAuthorizationDegraded': 'turnIndex',
  'permission.messageAuthorizationRead': 'turnIndex activatesExtraction',
  'permission.requested': `
    requestId permissionRequest promptRequest permissionMode agentMode ownerSessionId ownerAgentId
    riskAssessment resolvedByHook recoveryEpisodeId fusion
  `,
  prompt_cache_break: `
    primaryReason contributingReasons beforeRequest afterRequest survivedTokens frontierTokens
    shortfallTokens retentionRatio modelFrom modelTo toolsAdded toolsRemoved toolsRedefined
    toolsAddedRaw toolsRemovedRaw toolsRedefinedRaw toolsRedefinedParts toolsReordered
    systemSegmentsChanged cacheConfigChangedFields rewriteMessageIndex rewriteShape rewriteSource
    agentName
  `,
  'sampling.completed': 'requestId',
  'sampling.requested': 'requestId serverName mcpRequestId',
  'sandbox.decision': `
    control outcome toolCallId platform backend policySource enforcementPoint readwritePathsCount
    readonlyPathsCount deniedPathsCount addCurrentWorkingDirectory allowOutbound allowLocalNetwork
    proxyMode allowBypass gitAuth ghAuth keychainAccess effectiveFilesystemPolicy
    degradationReason kind durationMs attestation command denialClass confidence deniedResource
    processName permissiveSource source
  `,
  'session_limits_exhausted.completed': 'requestId response',
  'session_limits_exhausted.requested': 'requestId usedAiCredits maxAiCredits',
  'tool_search.activated': 'strategy toolNames',
  'ui.ephemeral_query': 'requestId phase chunk answer error',
  'user_input.completed': 'requestId answer wasFreeform',
  'user_input.requested': 'requestId question choices allowFreeform toolCallId',
  'workflow.run_settled': `
    runId status consumedSubagents consumedNanoAiu elapsedMs failureType
  `,
  'workflow.run_started': 'runId workflowName attempt',
  'workflow.run_updated': 'runId revision',
}
