/// The read transaction that a store keeps open for a query generation. Only the store that has made it reads with it,
/// and knows its class.
@_spi(Store) public protocol GenerationReader: AnyObject, Sendable {}
