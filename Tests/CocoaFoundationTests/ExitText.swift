import Testing

/// Whether a process that stopped said something.
func said(_ result: ExitTest.Result?, _ text: String) -> Bool {
  String(decoding: result?.standardErrorContent ?? [], as: UTF8.self).contains(text)
}
