/// The read transaction that a store keeps open for a query generation. Only the store that has made it knows its class and
/// reads with it.
@_spi(Store) public protocol GenerationReader: AnyObject, Sendable {}
