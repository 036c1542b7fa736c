import WebProtocol

/// The saves that were carried out last, by the names of their requests, and those that must not be any more.
struct FinishedSaves {
  private var answers: [String: SaveAnswer] = [:]
  private var refused: Set<String> = []
  private var refusals: [String] = []

  mutating func note(_ answer: SaveAnswer, of request: String) {
    if answers.count >= 1000 { answers.removeAll() }
    answers[request] = answer
  }

  mutating func refuse(_ request: String) {
    guard refused.insert(request).inserted else { return }
    refusals.append(request)
    // A save that is still on its way is not as old as these.
    if refusals.count >= 100_000 {
      refused.subtract(refusals.prefix(50_000))
      refusals.removeFirst(50_000)
    }
  }

  func answer(to request: String) -> SaveAnswer? { answers[request] }

  func isRefused(_ request: String) -> Bool { refused.contains(request) }
}
