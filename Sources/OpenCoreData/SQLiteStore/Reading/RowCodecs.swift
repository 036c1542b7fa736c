import Synchronization

/// The codecs of a store's entities.
///
/// Codecs of entities without subentities are made with the store. The codec of a whole hierarchy knows the columns of all
/// its entities, so for a long line of inheritance all codecs together would need room that grows with the cube of its
/// length. So such a codec is made when rows of its hierarchy are first read.
final class RowCodecs: Sendable {
  private let schema: SQLModel
  private let external: ExternalStorage
  /// By Z_ENT - 1; nil for an entity from which others inherit.
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
