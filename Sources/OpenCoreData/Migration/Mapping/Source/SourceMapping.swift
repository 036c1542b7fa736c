import OpenCocoaFoundation

import class OpenCocoaFoundation.NSExpression

/// What Xcode's mapping model (`.xcmappingmodel`) says, before it is known which models it is for.
struct SourceMapping {
  /// Where the models lie in the project, e.g. `App/Notes.xcdatamodeld/Notes 2.xcdatamodel`.
  var sourceModelPath: String?
  var destinationModelPath: String?
  /// In the order of their numbers.
  var entities: [Entity] = []

  struct Entity {
    var givenName: String?
    var sourceName: String?
    var destinationName: String?
    var policyClassName: String?
    /// Which objects of the source it takes; nil for all.
    var filter: String?
    var attributes: [Attribute] = []
    var relationships: [Relationship] = []

    /// The name that it has in a compiled mapping model.
    var name: String { givenName ?? [sourceName, destinationName].compactMap { $0 }.joined(separator: "To") }
  }

  struct Attribute {
    var name: String
    var expression: NSExpression?
  }

  struct Relationship {
    var name: String
    var expression: NSExpression?
    /// The mapping that makes its members, and what they are made of; both may be left to the names.
    var mappingName: String?
    var keyPath: String?
  }
}
