/// What a store keeps open for a query generation. The store that has made it reads with it, and knows its class.
@_spi(Store) public protocol GenerationReader: AnyObject, Sendable {}
