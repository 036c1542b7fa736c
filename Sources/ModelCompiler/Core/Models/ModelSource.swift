/// A place in a model's file.
package struct ModelPlace: Equatable, Sendable {
  package var line: Int
  package var column: Int

  /// Creates a place; lines and columns count from 1, and are 0 if only the file is known.
  package init(line: Int = 0, column: Int = 0) {
    self.line = line
    self.column = column
  }
}

/// The code generation of an entity, in Xcode's terms.
package enum CodeGeneration: Equatable, Sendable {
  /// "Manual/None": all code is written by hand.
  case manual
  /// "Category/Extension": the properties.
  case category
  /// "Class Definition": the class and the properties.
  case definition
}

/// The parts of a source model that its classes depend on.
package struct ModelSource: Sendable {
  /// The file with the XML.
  package var path: String
  package var entities: [EntitySource] = []
  /// The names of the composite types.
  package var composites: Set<String> = []
  /// The entities that the model's configurations name.
  var members: [ModelReference] = []

  package init(path: String) { self.path = path }

  /// Checks the model.
  /// - Throws: all problems that would make the classes wrong.
  package func check() throws(SourceProblems) {
    let problems = ModelCheck(self).problems()
    guard problems.isEmpty else { throw SourceProblems(list: problems) }
  }
}

package struct EntitySource: Sendable {
  package var name: String
  package var place: ModelPlace
  package var className: String?
  package var parent: String?
  package var generation = CodeGeneration.manual
  package var attributes: [AttributeSource] = []
  package var relationships: [RelationshipSource] = []
  /// The properties that the entity's indexes and uniqueness constraints name.
  var references: [ModelReference] = []

  package init(name: String, place: ModelPlace = ModelPlace(), className: String? = nil) {
    self.name = name
    self.place = place
    self.className = className
  }
}

/// A reference by name to something declared elsewhere in the model.
struct ModelReference: Sendable {
  let name: String
  let place: ModelPlace
}

package struct AttributeSource: Sendable {
  package var name: String
  package var place: ModelPlace
  /// The type in the file's spelling; nil if it is undefined, which only a transient attribute may be.
  package var type: String?
  package var isTransient = false
  package var isScalar = false
  package var customClassName: String?
  package var composite: String?
  /// The default value in the file's spelling.
  var defaultValue: String?

  package init(
    name: String, place: ModelPlace = ModelPlace(), type: String? = nil, isTransient: Bool = false,
    isScalar: Bool = false, customClassName: String? = nil, composite: String? = nil
  ) {
    self.name = name
    self.place = place
    self.type = type
    self.isTransient = isTransient
    self.isScalar = isScalar
    self.customClassName = customClassName
    self.composite = composite
  }
}

package struct RelationshipSource: Sendable {
  package var name: String
  package var place: ModelPlace
  package var destination: String?
  package var inverseName: String?
  package var inverseEntity: String?
  package var isToMany = false
  package var isOrdered = false

  package init(
    name: String, place: ModelPlace = ModelPlace(), destination: String? = nil, inverseName: String? = nil,
    inverseEntity: String? = nil, isToMany: Bool = false, isOrdered: Bool = false
  ) {
    self.name = name
    self.place = place
    self.destination = destination
    self.inverseName = inverseName
    self.inverseEntity = inverseEntity
    self.isToMany = isToMany
    self.isOrdered = isOrdered
  }
}
