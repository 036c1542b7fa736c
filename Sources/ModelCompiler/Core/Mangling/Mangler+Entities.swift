extension Mangler {
  /// Returns the symbol of a property without the letter of the accessor: `g` for the getter, `s` for the setter.
  package static func property(
    _ name: String, discriminator: String? = nil, in context: Nominal.Context, type: ResolvedType
  ) -> String {
    var mangler = Mangler()
    mangler.appendContext(context)
    mangler.appendName(name, discriminator: discriminator)
    mangler.appendType(type)
    mangler.append("v")
    return mangler.symbol
  }

  /// Returns the symbol of a method that returns nothing; a nil label is `_`.
  package static func method(
    _ name: String, discriminator: String? = nil, in context: Nominal.Context,
    parameters: [(label: String?, type: ResolvedType)]
  ) -> String {
    var mangler = Mangler()
    mangler.appendContext(context)
    mangler.appendName(name, discriminator: discriminator)
    let isLabelled = parameters.contains { $0.label != nil }
    if isLabelled {
      for parameter in parameters {
        if let label = parameter.label { mangler.appendIdentifier(label) } else { mangler.append("_") }
      }
    } else if !parameters.isEmpty {
      mangler.append("y")
    }
    // The empty tuple of the return type comes first, then the parameters.
    mangler.append("y")
    let isTuple = parameters.count > 1 || isLabelled
    if parameters.isEmpty { mangler.append("y") }
    for (index, parameter) in parameters.enumerated() {
      mangler.appendType(parameter.type)
      if index == 0, isTuple { mangler.append("_") }
    }
    if isTuple { mangler.append("t") }
    mangler.append("F")
    return mangler.symbol
  }

  /// Returns the text that distinguishes private declarations of this file from those of other files: a hash of the
  /// module's and the file's name.
  package static func discriminator(module: String, fileName: String) -> String {
    "_" + MD5.hexadecimalDigest(of: Array((module + fileName).utf8))
  }
}
