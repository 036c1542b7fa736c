import Synchronization

/// The codecs of a store's entities.
///
/// Those of entities without subentities are made with the store. One for a whole hierarchy knows the columns of all its
/// entities, so that along a long line of inheritance all of them together would need room with the cube of its length:
/// it is made when rows of the hierarchy are first read.
final class RowCodecs: Sendable {
  private let schema: SQLModel
  private let external: ExternalStorage
  /// By Z_ENT - 1; nil for an entity that others inherit from.
  private let single: [RowCodec?]
  /// By Z_ENT.
  private let hierarchies = Mutex<[Int: RowCodec]>([:])

  init(_ schema: SQLModel, external: ExternalStorage) {
    (self.schema, self.external) = (schema, external)
    single = schema.entities.map { $0.hasSubentities ? nil : RowCodec($0, in: schema, external: external) }
  }

  subscript(entity: SQLEntity) -> RowCodec {
    if let codec = single[entity.number - 1] { return codec }
    return hierarchies.withLock { known in
      if let codec = known[entity.number] { return codec }
      let codec = RowCodec(entity, in: schema, external: external)
      known[entity.number] = codec
      return codec
    }
  }
}
