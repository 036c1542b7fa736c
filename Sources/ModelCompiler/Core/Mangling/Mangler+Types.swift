extension Mangler {
  /// Writes a type.
  mutating func appendType(_ type: ResolvedType) {
    switch type {
    case .nominal(let nominal): appendNominal(nominal)
    case .anyObject: append("yXl")
    case .existential(let protocols): appendExistential(protocols)
    case .optional(let wrapped):
      if appendSubstitution(.type(type)) { return }
      appendType(wrapped)
      append("Sg")
      addSubstitution(.type(type))
    case .generic(let nominal, let arguments):
      if appendSubstitution(.type(type)) { return }
      appendNominal(nominal)
      append("y")
      for argument in arguments { appendType(argument) }
      append("G")
      addSubstitution(.type(type))
    }
  }

  mutating func appendNominal(_ nominal: Nominal) {
    if nominal.context == .module("Swift"), let letter = Mangler.standardLetters[nominal.name] {
      return appendMerged(letter, isStandard: true)
    }
    if appendSubstitution(.type(.nominal(nominal))) { return }
    appendContext(nominal.context)
    appendName(nominal.name, discriminator: nominal.discriminator)
    switch nominal.kind {
    case .class: append("C")
    case .structure: append("V")
    case .enumeration: append("O")
    case .protocol: append("P")
    }
    addSubstitution(.type(.nominal(nominal)))
  }

  mutating func appendContext(_ context: Nominal.Context) {
    switch context {
    case .module("Swift"): append("s")
    case .module(let name): appendIdentifier(name)
    case .type(let nominal): appendNominal(nominal)
    case .foreignExtension(let nominal, let module):
      appendNominal(nominal)
      appendContext(.module(module))
      append("E")
    }
  }

  mutating func appendName(_ name: String, discriminator: String?) {
    appendIdentifier(name)
    guard let discriminator else { return }
    appendIdentifier(discriminator)
    append("LL")
  }

  /// Writes the type of a composition of protocols. The protocols are written by their names and never as
  /// substitutions; `Any` is `yp`.
  private mutating func appendExistential(_ protocols: [Nominal]) {
    if protocols.isEmpty { append("y") }
    for (index, nominal) in protocols.enumerated() {
      appendContext(nominal.context)
      appendName(nominal.name, discriminator: nominal.discriminator)
      if index == 0 { append("_") }
    }
    append("p")
  }

  /// The types of the standard library that have a letter of their own.
  private static let standardLetters: [String: UInt8] = [
    "Array": UInt8(ascii: "a"), "Bool": UInt8(ascii: "b"), "Dictionary": UInt8(ascii: "D"),
    "Double": UInt8(ascii: "d"), "Float": UInt8(ascii: "f"), "Set": UInt8(ascii: "h"), "Int": UInt8(ascii: "i"),
    "Character": UInt8(ascii: "J"), "ClosedRange": UInt8(ascii: "N"), "Range": UInt8(ascii: "n"),
    "ObjectIdentifier": UInt8(ascii: "O"), "String": UInt8(ascii: "S"), "Substring": UInt8(ascii: "s"),
    "UInt": UInt8(ascii: "u"),
  ]
}
