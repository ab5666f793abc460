return publish(#ARGV)
