/** The `data` of events of the conversation and its tools. */
export const conversationFields: Readonly<Record<string, string>> = {
  abort: 'reason',
  'agent.interrupted': `
    activity elapsedMs turn model apiEndpoint transport reasoningEffort cancelPhase outputTtftMs
    toolNames toolCallIds safeToolNames interruptedAgentCount
  `,
  'assistant.fusion_phase_activity': `
    fusionId phaseId phaseKind pattern role conversationScope activity totalResponseSizeBytes
    toolCallId
  `,
  'assistant.fusion_phase_completed': `
    fusionId phaseId phaseKind role conversationScope model reasoningEffort status content verdict
    durationMs usage projectionMessage projectionMode stagedTerminal endedWithBackgroundWork
  `,
  'assistant.fusion_phase_failed': `
    fusionId phaseId phaseKind role conversationScope model reasoningEffort status reason
    durationMs usage errorMessage degradedToPhaseId
  `,
  'assistant.fusion_phase_started': `
    fusionId phaseId phaseKind pattern role conversationScope model reasoningEffort
  `,
  'assistant.idle': 'aborted',
  'assistant.intent': 'intent',
  'assistant.message': `
    messageId originatingMessageId model providerId content toolRequests{toolCallId name arguments
    type toolTitle mcpServerName mcpToolName intentionSummary caller} reasoningOpaque
    reasoningText reasoningWireField encryptedContent phase chunkIndex chunkCount outputTokens
    interactionId requestId clientRequestId serviceRequestId rte apiCallId serverTools
    reasoningBlocks turnId parentToolCallId citations fusion
  `,
  'assistant.message_delta': 'messageId deltaContent parentToolCallId',
  'assistant.message_start': 'messageId phase',
  'assistant.reasoning': 'reasoningId content rte',
  'assistant.reasoning_delta': 'reasoningId deltaContent',
  'assistant.server_tool_progress': 'outputIndex kind status',
  'assistant.streaming_delta': 'totalResponseSizeBytes',
  'assistant.tool_call_delta': 'toolCallId toolName toolType inputDelta',
  'assistant.turn_end': 'turnId model parentToolCallId',
  'assistant.turn_retry': 'turnId model reason',
  'assistant.turn_start': 'turnId model interactionId parentToolCallId',
  'assistant.usage': `
    aiCreditsStatus model provider modelDisplayName accounting inputTokens outputTokens
    cacheReadTokens cacheWriteTokens cacheExpiresAt reasoningTokens thinkingDroppedBlocks
    thinkingDroppedReasons cost duration timeToFirstTokenMs outputTtftMs interTokenLatencyMs
    initiator interactionType isByok byokKind modelProvider providerType isAuto maxPromptTokens
    maxOutputTokens acceptedPredictionTokens rejectedPredictionTokens transport requestBodyBytes
    requestBodyWireBytes requestBodyEncoding requestBodyCompressionFallback
    requestBodyCompressionFallbackFrom requestBodyCompressionRejectedStatus
    websocketFallbackReason websocketFallbackAfterMs websocketFallbackErrorKind
    websocketFallbackStatusCode websocketFallbackCloseCode websocketFallbackReconnectAttempted
    websocketFallbackStartedThisCall apiCallId providerCallId serviceRequestId rte apiEndpoint
    parentToolCallId quotaSnapshots copilotUsage reasoningEffort reasoningSummary
    availableToolCount toolTokenCount customToolCallCount unmatchedToolResultCount
    orphanToolCallCount frontierSource cacheTtlSeconds cacheDetailsReported numToolCalls
    toolCounts finishReason contentFilterTriggered fusion
  `,
  'model.call_failure': `
    model parentToolCallId initiator apiCallId providerCallId serviceRequestId rte statusCode
    durationMs apiEndpoint transport failureKind requestBodyBytes requestBodyWireBytes
    requestBodyEncoding requestBodyCompressionFallback requestBodyCompressionFallbackFrom
    requestBodyCompressionRejectedStatus retryAttempt websocketFallbackReason
    websocketFallbackAfterMs websocketFallbackErrorKind websocketFallbackStatusCode
    websocketFallbackCloseCode websocketFallbackReconnectAttempted
    websocketFallbackStartedThisCall maxPromptTokens maxOutputTokens isByok byokKind modelProvider
    providerType isAuto reasoningEffort interactionType source errorMessage badRequestKind
    errorCode errorType quotaSnapshots requestFingerprint fusion
  `,
  'model.call_final_result': 'model isByok result',
  'model.call_finished': `
    turnId interactionId dispatchDurationMs outcome containsBuiltInFileEditRequest
    editClassifierVersion
  `,
  'model.call_start': 'turnId model previousResponseId fusion parentToolCallId',
  'skill.context_delivered': 'content source interactionId',
  'skill.context_delivered_ref': 'contentId prefix suffix source interactionId',
  'skill.invoked': `
    name invokedAtTurn model path content allowedTools disableModelInvocation source pluginName
    pluginVersion description trigger
  `,
  'skill.invoked_ref': `
    name invokedAtTurn model path contentId contentLength allowedTools disableModelInvocation
    source pluginName pluginVersion description trigger
  `,
  'subagent.completed': `
    toolCallId agentName agentDisplayName model firstDispatchedModel configuredModelPreference
    explicitModelOverride explicitModelMatchesPreference modelOverrideReason modelSelectionSource
    configuredModelMatchesActual totalToolCalls totalTokens durationMs cancelled
  `,
  'subagent.configured': 'model reasoningEffort contextTier multiTurn',
  'subagent.deselected': '',
  'subagent.failed': `
    toolCallId agentName agentDisplayName error model firstDispatchedModel
    configuredModelPreference explicitModelOverride explicitModelMatchesPreference
    modelOverrideReason modelSelectionSource configuredModelMatchesActual totalToolCalls
    totalTokens durationMs
  `,
  'subagent.selected': 'agentName agentDisplayName tools',
  'subagent.started': `
    toolCallId agentName agentDisplayName agentDescription model taskModelSource
    modelSelectionSource workflowRunId parentId resumable agentType executionMode
  `,
  'system.message': 'content contentBlocks interactionId role name metadata',
  'system.notification': `
    content kind{type agentId displayName agentType status description prompt entryId senderName
    senderType summary shellId exitCode sourcePath triggerFile triggerTool runId workflowName
    consumedSubagents elapsedMs consumedNanoAiu attempt resultPreview failure retryGuidance
    pauseInfo metadata} responsesReasoning
  `,
  'tool.execution_complete': `
    toolCallId success model toolUsage mcpMeta interactionId rte isUserRequested result{content
    detailedContent contents binaryResultsForLlm uiResource structuredContent citableSources
    mcpMeta} error{message code remediation} toolTelemetry turnId toolDescription sandboxed
    shellExecution{exitCode} fileEdits{path kind} parentToolCallId fusion
  `,
  'tool.execution_partial_result': 'toolCallId partialOutput',
  'tool.execution_progress': 'toolCallId progressMessage structuredContent',
  'tool.execution_start': `
    toolCallId toolName toolTitle arguments shellToolInfo{possiblePaths hasWriteFileRedirection
    displayCommand} model rte mcpServerName mcpConfigServerName mcpToolName mcpTransport
    mcpConfigSource turnId displayVerbatim toolDescription parentToolCallId fusion
  `,
  'tool.shell_output': 'toolCallId stream text sequence fusion',
  'tool.user_requested': 'toolCallId toolName arguments',
  'user.message': `
    content responsesReasoning messageId transformedContent attachments
    supportedNativeDocumentMimeTypes nativeDocumentPathFallbackPaths source delivery agentMode
    isAutopilotContinuation interactionId turnId parentAgentTaskId
  `,
}
