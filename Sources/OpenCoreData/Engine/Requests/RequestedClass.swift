/// The class whose entity a request reads, as long as no entity is known.
package struct RequestedClass: Equatable {
  let type: AnyClass
  /// The name of the class's entity in the model that was used last; nil if no model has such an entity.
  let entityName: () -> String?

  init(_ type: AnyClass, entityName: @escaping () -> String?) { (self.type, self.entityName) = (type, entityName) }

  package static func == (first: RequestedClass, second: RequestedClass) -> Bool { first.type == second.type }
}
