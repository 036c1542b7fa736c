/// The choices in the form that compares two versions.
struct CompareChoices: Sendable {
  let sources: [ModelLibrary.Choice]
  let destinations: [ModelLibrary.Choice]

  /// Creates choices without a chosen version: the form shows the first two versions, in their order.
  init(from choices: [ModelLibrary.Choice]) {
    self.init(
      sources: choices,
      destinations: choices.enumerated().map {
        ModelLibrary.Choice(value: $1.value, title: $1.title, isChosen: $0 == 1)
      })
  }

  init(sources: [ModelLibrary.Choice], destinations: [ModelLibrary.Choice]) {
    (self.sources, self.destinations) = (sources, destinations)
  }
}
